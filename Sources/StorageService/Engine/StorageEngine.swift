// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol
import ZeroMQ

/// The interface between the storage service and its database, with one writer. The service does not know the database.
///
/// Not Sendable: its owner calls it from one place, the service from its loop. ``reader`` may be used anywhere.
protocol StorageEngine: AnyObject {
    /// The epoch of this history, its newest revision, and the present run of storage.
    var position: Position { get }
    /// The oldest revision that the log keeps; 1 while it is empty.
    var floor: UInt64 { get }
    var reader: any StorageReader { get }
    /// For other threads than the one that uses the engine: whether it can write, and how to end what it waits for.
    var remote: EngineRemote { get }

    /// Executes the requests in their order, and makes all of them durable with one flush.
    ///
    /// A request that cannot be done is refused in its reply and does not affect the others. A request that was answered
    /// before gets the same bytes again and changes nothing.
    ///
    /// - Throws: if the batch could not be made durable. Nothing of it has then been done, and the same batch may be
    ///   tried again. While the condition is ``EngineCondition/full(room:reserve:)`` it is refused at once.
    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch

    /// Checks whether writing has become possible again. Call it about once a second; it costs little.
    func recover()

    /// Deletes the oldest changes, up to `limit` of them, and never the newest.
    ///
    /// - Returns: the new floor; call again while it is below `rev`.
    func compact(below rev: UInt64, limit: UInt64) throws(EngineError) -> UInt64

    /// Deletes the oldest changes that `retention` does not keep, up to `limit` of them.
    ///
    /// - Parameter now: Unix milliseconds.
    /// - Returns: the new floor; call again while it rises.
    func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64

    /// Deletes old points of tracks, and those of removed landmarks. Each call looks at a few tracks, in turns.
    ///
    /// - Parameters:
    ///   - age: points that were written longer ago go; zero: none.
    ///   - now: Unix milliseconds.
    /// - Returns: the number of points deleted.
    func sweepTracks(age: Duration, now: UInt64) throws(EngineError) -> Int

    /// All accounts and keys.
    func accountNews() throws(EngineError) -> AccountNews

    /// Whether landmarks wait to be given another owner, or the owner's new name.
    var hasOwnerTask: Bool { get }

    /// Ends all work. Every later call fails with ``EngineError/closed``.
    func close()
}

/// Reads the same database, from any thread, while the writer writes.
protocol StorageReader: Sendable {
    /// The changes after `rev` that match the filter, in order and without a hole. The page ends at `limit` changes, or
    /// before the change that would exceed `maxBytes`. It has at least one change if there is one, unless very many
    /// changes in a row do not match: then it ends after those.
    ///
    /// - Parameter run: the run of storage in which the reader saw `rev`, if known.
    /// - Throws: ``EngineError/otherHistory`` if that run cannot have reached `rev` in this history, else
    ///   ``EngineError/futureRevision(floor:head:)``, else ``EngineError/compacted(floor:head:)``.
    func changes(
        since rev: UInt64, run: UUIDv7?, matching filter: FeedFilter, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> ChangeLogPage

    /// The last revision before `time`, in Unix milliseconds; the one below the floor if there is none.
    func locate(before time: UInt64) async throws(EngineError) -> LocatedRevision

    /// The landmarks that match, in the order of their ids, at one revision. Pages end as those of changes do.
    func snapshot(
        after: Landmark.ID?, matching filter: FeedFilter, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> RecordPage

    /// - Throws: ``EngineError/notFound``, also for a landmark that was removed.
    func show(_ id: Landmark.ID, historyLimit: Int) async throws(EngineError) -> RecordWithHistory

    /// The points of a landmark's track after a revision, without those of a time before `since`, in the order of
    /// revisions. Pages end as those of changes do.
    ///
    /// - Parameter since: Unix milliseconds.
    /// - Throws: ``EngineError/notFound``, also for a landmark that was removed.
    func track(
        _ id: Landmark.ID, since: UInt64, after rev: UInt64, limit: Int
    ) async throws(EngineError) -> TrackPage

    /// The landmarks that contain all the words, best match first.
    ///
    /// - Parameter revision: the revision that the search must include. It waits for that, some seconds at most.
    /// - Throws: ``EngineError/notYet(reached:)``, ``EngineError/futureRevision(floor:head:)``.
    func search(
        _ text: SearchText, limit: Int, filter: LandmarkFilter, atLeast revision: UInt64
    ) async throws(EngineError) -> SearchResult

    /// Waits, some seconds at most, until the text search includes this revision.
    ///
    /// - Throws: as ``search(_:limit:filter:atLeast:)``.
    func searched(through revision: UInt64) async throws(EngineError)

    func sources() async throws(EngineError) -> [WireSourceState]

    /// The keys of the rows of `source`, in order, including those of landmarks that people have removed.
    func sourceKeys(_ source: String, after: String, limit: Int) async throws(EngineError) -> SourceKeyPage

    func numbers() async throws(EngineError) -> StorageNumbers

    /// Nil if there is none with this name.
    func account(named name: String) async throws(EngineError) -> StoredAccount?
    func account(_ number: UInt64) async throws(EngineError) -> StoredAccount?
    /// In the order of their numbers, with the number of their usable keys.
    func accounts(after number: UInt64, limit: Int, now: UInt64) async throws(EngineError) -> WireAccountList
    /// Newest first.
    func keys(of account: UInt64) async throws(EngineError) -> [WireKeyInfo]
    func key(_ key: CurveKey) async throws(EngineError) -> (account: UInt64, info: WireKeyInfo)?
    /// Whether an invitation with this digest waits for the account.
    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) async throws(EngineError) -> Bool
    /// Newest first; entries with a smaller id, 0: all.
    func audit(before id: UInt64, limit: Int) async throws(EngineError) -> WireAuditPage
    /// The accounts and keys that changed after a revision of theirs, in its order, about `limit` of them: all of the last
    /// revision.
    func accountNews(since revision: UInt64, limit: Int) async throws(EngineError) -> AccountNews

    /// A whole copy of the database at one revision, made while writes go on.
    func copy() async throws(EngineError) -> DatabaseCopy
}

extension StorageEngine {
    /// Whether it can write.
    var condition: EngineCondition { remote.condition }

    func compact(below rev: UInt64) throws(EngineError) -> UInt64 { try compact(below: rev, limit: 10_000) }
}

extension StorageReader {
    func changes(since rev: UInt64, limit: Int, maxBytes: Int) async throws(EngineError) -> ChangeLogPage {
        try await changes(since: rev, run: nil, matching: .everything, limit: limit, maxBytes: maxBytes)
    }
}

/// The result of a batch.
struct AppliedBatch: Sendable {
    /// An encoded `Reply` for each request, in the order of the requests.
    var replies: [[UInt8]] = []
    /// In the order of revisions.
    var changes: [EncodedChange] = []
    /// What has changed of accounts and keys; nil: nothing.
    var accounts: AccountNews?
}
