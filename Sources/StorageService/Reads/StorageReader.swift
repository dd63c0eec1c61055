// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// Reads the database in pages, from any thread, while the writer writes. Each page is of one state, so its result is of
/// one revision.
struct StorageReader: Sendable {
    let database: any ReadableDatabase
    /// The present run, of a database that nobody else can write meanwhile: it has reached every revision that is there.
    var present: UUIDv7?

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTables) throws -> Value
    ) async throws(EngineError) -> Value {
        try await database.read(body)
    }

    /// The most rows that one page examines with a filter: bounds the cost of a request.
    private static let mostRows = 20_000
    /// The most bytes of those rows.
    private static let mostBytes = 16 * 1024 * 1024

    /// The changes after `rev` that match the filter, in order and without a hole. The page ends at `limit` changes, or
    /// before the change that would exceed `maxBytes`. It has at least one change if there is one, unless very many
    /// changes in a row do not match: then it ends after those.
    ///
    /// - Parameter run: the run of storage in which the reader saw `rev`, if known.
    /// - Throws: ``EngineError/otherHistory`` if that run cannot have reached `rev` in this history, else
    ///   ``EngineError/futureRevision(floor:head:)``, else ``EngineError/compacted(floor:head:)``.
    func changes(
        since rev: UInt64, run: UUIDv7? = nil, matching filter: FeedFilter = .everything, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> ChangeLogPage {
        try await read { tables in
            if let run, run != present, try !tables.canHaveReached(rev, run) {
                throw EngineError.otherHistory
            }
            let head = try tables.head().rev
            let floor = try tables.floor()
            guard rev <= head else { throw EngineError.futureRevision(floor: floor, head: head) }
            guard rev + 1 >= floor else {
                throw EngineError.compacted(floor: floor, head: head)
            }
            var page = ChangeLogPage(changes: [], through: rev, head: head, floor: floor)
            var (bytes, bytesRead) = (0, 0)
            let most = filter.isEmpty ? max(1, limit) : Self.mostRows
            try tables.changes(after: rev, limit: most) { found, change in
                // Readers rely on pages without holes, so a hole is an error.
                guard found == page.through + 1 else {
                    throw EngineError.corrupted("revision \(page.through + 1) is missing")
                }
                bytesRead += change.count
                if bytesRead > Self.mostBytes, page.through > rev { return false }
                if !filter.isEmpty {
                    guard let operation = try Self.operation(of: change, filter) else {
                        page.through += 1
                        return true
                    }
                    guard page.changes.count < max(1, limit) else { return false }
                    page.operations.append(operation)
                }
                bytes += change.count
                if bytes > maxBytes, !page.changes.isEmpty {
                    if !filter.isEmpty { page.operations.removeLast() }
                    return false
                }
                page.changes.append(change)
                page.through += 1
                return true
            }
            return page
        }
    }

    private static func operation(of change: Data, _ filter: FeedFilter) throws -> FeedOperation? {
        do {
            return try change.withUnsafeBytes { try filter.operation(ofEncoded: $0) }
        } catch {
            throw EngineError.corrupted("a change cannot be read")
        }
    }

    /// The last revision before `time`, in Unix milliseconds; the one below the floor if all are later.
    ///
    /// If the clock was set back between two revisions there may be several answers. This is one of them.
    func locate(before time: UInt64) async throws(EngineError) -> LocatedRevision {
        try await read { tables in
            let floor = try tables.floor()
            var (low, high) = (floor, try tables.head().rev + 1)
            while low < high {
                let middle = low + (high - low) / 2
                guard let at = try tables.time(of: middle) else {
                    throw EngineError.corrupted("revision \(middle) is missing")
                }
                if at < time { low = middle + 1 } else { high = middle }
            }
            return LocatedRevision(rev: low - 1, floor: floor)
        }
    }

    /// - Throws: ``EngineError/futureRevision(floor:head:)`` if there is no such revision yet.
    func requireRevision(_ rev: UInt64) async throws(EngineError) {
        try await read { tables in
            let head = try tables.head().rev
            guard rev <= head else { throw EngineError.futureRevision(floor: try tables.floor(), head: head) }
        }
    }

    /// The landmarks that match, in the order of their ids, at one revision. Pages end as those of changes do.
    func snapshot(
        after: Landmark.ID?, matching filter: FeedFilter = .everything, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> RecordPage {
        try await read { tables in
            let head = try tables.head()
            var page = RecordPage(records: [], next: nil, total: head.landmarks, rev: head.rev)
            // No id is that great. As a signed integer it would come before all ids.
            if let after, after.high > UInt64(Int64.max) { return page }
            let limit = max(1, limit)
            var (bytes, bytesRead, rowsRead) = (0, 0, 0)
            var last: Landmark.ID?
            let most = filter.isEmpty ? limit + 1 : Self.mostRows + 1
            try tables.landmarks(after: after?.high ?? 0, limit: most) { id, record in
                if !filter.isEmpty {
                    rowsRead += 1
                    bytesRead += record.count
                    if rowsRead > Self.mostRows || bytesRead > Self.mostBytes, last != nil {
                        page.next = last
                        return false
                    }
                    guard filter.matches(try record.withUnsafeBytes { try FilterSubject(encoded: $0) }) else {
                        last = id
                        return true
                    }
                }
                bytes += record.count
                if page.records.count == limit || (bytes > maxBytes && !page.records.isEmpty) {
                    page.next = last
                    return false
                }
                page.records.append(record)
                last = id
                return true
            }
            return page
        }
    }

    /// The points of a landmark's track after a revision, without those of a time before `since`, in the order of
    /// revisions. Pages end as those of changes do.
    ///
    /// - Parameter since: Unix milliseconds.
    /// - Throws: ``EngineError/notFound``, also for a landmark that was removed.
    func track(
        _ id: Landmark.ID, since: UInt64, after rev: UInt64, limit: Int
    ) async throws(EngineError) -> TrackPage {
        try await read { tables in
            guard try tables.record(id) != nil else { throw EngineError.notFound }
            var page = TrackPage(points: [])
            // No revision is that great. As a signed integer it would come before all others.
            guard rev <= UInt64(Int64.max) else { return page }
            var (seen, last) = (0, rev)
            try tables.points(of: id.high, after: rev, limit: Self.mostRows + 1) { point in
                guard seen < Self.mostRows, page.points.count < limit else {
                    page.next = last
                    return false
                }
                seen += 1
                last = point.rev
                if point.at >= since { page.points.append(point) }
                return true
            }
            return page
        }
    }
}
