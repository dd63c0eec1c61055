// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The port under the storage service: one writer. Nothing above it knows which database runs.
///
/// Not Sendable: whoever owns it calls it from one place, the service from its loop. ``reader`` may go anywhere.
protocol StorageEngine: AnyObject {
    /// The epoch of this history, its newest revision, and the run that tells of it.
    var position: Position { get }
    /// The oldest revision that the log keeps; 1 while it is empty.
    var floor: UInt64 { get }
    var reader: any StorageReader { get }
    /// Whether it can write.
    var condition: EngineCondition { get }

    /// Does what the requests ask, in their order, and makes all of it durable with one flush.
    ///
    /// A request that cannot be done is refused by itself, in its reply. A request that was answered before is
    /// answered with the same bytes and does nothing.
    ///
    /// - Throws: when the batch could not be made durable. Then nothing of it has happened, and the same batch may be
    ///   tried again. While the condition is ``EngineCondition/full(room:reserve:)`` it is refused at once.
    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch

    /// Looks whether what keeps it from writing has passed. To be called about once a second; costs little.
    func recover()

    /// Forgets the oldest changes, up to `limit` of them, the newest one never.
    ///
    /// - Returns: the floor from now on; call again while it is below `rev`.
    func compact(below rev: UInt64, limit: UInt64) throws(EngineError) -> UInt64

    /// Forgets the oldest changes that `retention` does not keep, up to `limit` of them.
    ///
    /// - Parameter now: Unix milliseconds.
    /// - Returns: the floor from now on; call again while it rises.
    func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64

    /// Ends all work. Everything that comes afterwards fails with ``EngineError/closed``.
    func close()
}

/// What reads from the same database, anywhere, while the writer goes on.
protocol StorageReader: Sendable {
    /// Changes after `rev` that concern the filter, in order and without a hole, until there are `limit` of them or the
    /// next one would make them more than `maxBytes`; at least one, if there is one, unless very many in a row do not
    /// concern the filter: then the page ends there.
    ///
    /// - Parameter run: the run of storage that told of `rev`, where that is known.
    /// - Throws: ``EngineError/otherHistory`` when that run cannot have told of it here, else
    ///   ``EngineError/futureRevision(floor:head:)``, else ``EngineError/compacted(floor:head:)``.
    func changes(
        since rev: UInt64, run: UUIDv7?, matching filter: FeedFilter, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> ChangeLogPage

    /// The last revision that was made before `time`, in Unix milliseconds; the one below the floor when none was.
    func locate(before time: UInt64) async throws(EngineError) -> LocatedRevision

    /// Landmarks that match, in the order of their ids, as they are at one revision; bounded like changes.
    func snapshot(
        after: Landmark.ID?, matching filter: FeedFilter, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> RecordPage

    /// - Throws: ``EngineError/notFound`` also for one that was removed.
    func show(_ id: Landmark.ID, historyLimit: Int) async throws(EngineError) -> RecordWithHistory

    /// Landmarks that bear all the words, best match first.
    ///
    /// - Parameter revision: search at least through this revision; catches up first, for some seconds if need be.
    /// - Throws: ``EngineError/notYet(reached:)``, ``EngineError/futureRevision(floor:head:)``.
    func search(
        _ text: SearchText, limit: Int, filter: LandmarkFilter, atLeast revision: UInt64
    ) async throws(EngineError) -> SearchResult

    /// Waits, for some seconds if need be, until text is searched through this revision.
    ///
    /// - Throws: as ``search(_:limit:filter:atLeast:)``.
    func searched(through revision: UInt64) async throws(EngineError)

    func sources() async throws(EngineError) -> [WireSourceState]

    /// The keys under which rows of `source` are known, in order, also those of landmarks that people have removed.
    func sourceKeys(_ source: String, after: String, limit: Int) async throws(EngineError) -> SourceKeyPage

    func numbers() async throws(EngineError) -> StorageNumbers

    /// A whole copy of the database at one revision, made while writes go on.
    func copy() async throws(EngineError) -> DatabaseCopy
}

extension StorageEngine {
    func compact(below rev: UInt64) throws(EngineError) -> UInt64 { try compact(below: rev, limit: 10_000) }
}

extension StorageReader {
    func changes(since rev: UInt64, limit: Int, maxBytes: Int) async throws(EngineError) -> ChangeLogPage {
        try await changes(since: rev, run: nil, matching: .everything, limit: limit, maxBytes: maxBytes)
    }
}

/// What became of a batch.
struct AppliedBatch: Sendable {
    /// An encoded `Reply` for each request, in their order.
    var replies: [[UInt8]] = []
    /// In the order of revisions.
    var changes: [CommittedChange] = []
}
