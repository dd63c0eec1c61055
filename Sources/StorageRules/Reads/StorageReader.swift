// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// Reads the database in pages, from any thread, while the writer writes. All reads of one page see the same state of
/// the database, so the page belongs to one revision.
package protocol StorageReader: Sendable {
    /// The present run, if nobody else can write to this database meanwhile; otherwise nil. The present run has seen
    /// every revision that exists, so a position from this run needs no check.
    var present: UUIDv7? { get }

    /// Runs `body` on one state of the database, which includes at least the last commit before the call.
    ///
    /// The call takes one of the few connections for reading, and waits until one is free.
    /// ``EngineExecutor/perform(_:)`` uses the writer's connection instead.
    ///
    /// - Throws: ``EngineError/closed``, or the error that `body` threw.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTables) throws -> Value
    ) async throws(EngineError) -> Value
}

/// The maximum number of rows that a page with a filter examines. It bounds the cost of a request.
private let mostRows = 20_000
/// The maximum total size in bytes of the rows that a page examines.
private let mostBytes = 16 * 1024 * 1024

private func matchingOperation(of change: Data, _ filter: FeedFilter) throws -> FeedOperation? {
    do {
        return try change.withUnsafeBytes { try filter.operation(ofEncoded: $0) }
    } catch {
        throw EngineError.corrupted("a change cannot be read")
    }
}

extension StorageReader {
    /// Returns the changes after `rev` that match the filter, in order and without a gap. The page ends after `limit`
    /// changes, or before the change that would make it larger than `maxBytes`. It has at least one change if a
    /// matching one exists, unless very many changes in a row do not match: then the page is empty and ends after them.
    /// Only a page with a filter says for each change which operation its reader should see.
    ///
    /// - Parameter run: the run of storage in which the reader saw `rev`; nil if the reader does not know it.
    /// - Throws: ``EngineError/otherHistory`` if that run cannot have reached `rev` in this history,
    ///   ``EngineError/futureRevision(floor:head:)`` if `rev` does not exist yet, or
    ///   ``EngineError/compacted(floor:head:)`` if changes after `rev` are no longer kept.
    package func changes(
        since rev: UInt64, run: UUIDv7? = nil, matching filter: FeedFilter = .everything, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> WireRawChangesPage {
        try await read { [present] tables in
            if let run, run != present, try !tables.canHaveReached(rev, run) {
                throw EngineError.otherHistory
            }
            let head = try tables.head().rev
            let floor = try tables.floor()
            guard rev <= head else { throw EngineError.futureRevision(floor: floor, head: head) }
            guard rev + 1 >= floor else {
                throw EngineError.compacted(floor: floor, head: head)
            }
            var page = WireRawChangesPage.with { ($0.through, $0.head, $0.floor) = (rev, head, floor) }
            var (bytes, bytesRead) = (0, 0)
            let most = filter.isEmpty ? max(1, limit) : mostRows
            try tables.changes(after: rev, limit: most) { found, change in
                // Readers rely on pages without gaps, so a missing revision is an error.
                guard found == page.through + 1 else {
                    throw EngineError.corrupted("revision \(page.through + 1) is missing")
                }
                bytesRead += change.count
                if bytesRead > mostBytes, page.through > rev { return false }
                if !filter.isEmpty {
                    guard let operation = try matchingOperation(of: change, filter) else {
                        page.through += 1
                        return true
                    }
                    guard page.changes.count < max(1, limit) else { return false }
                    page.operations.append(UInt32(WireChange.Operation(operation).rawValue))
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

    /// Returns the last revision before `time`, in Unix milliseconds; the revision below the floor if all are later.
    ///
    /// If the clock was set back between two revisions, several revisions fit, and this returns one of them.
    package func locate(before time: UInt64) async throws(EngineError) -> (rev: UInt64, floor: UInt64) {
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
            return (low - 1, floor)
        }
    }

    /// Checks that a revision exists or existed, and throws ``EngineError/futureRevision(floor:head:)`` if not.
    package func requireRevision(_ rev: UInt64) async throws(EngineError) {
        try await read { tables in
            let head = try tables.head().rev
            guard rev <= head else { throw EngineError.futureRevision(floor: try tables.floor(), head: head) }
        }
    }

    /// Returns the matching landmarks in the order of their ids, all at one revision. A page ends at the same limits as
    /// a page of changes.
    package func snapshot(
        after: Landmark.ID?, matching filter: FeedFilter = .everything, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> WireRawSnapshotPage {
        try await read { tables in
            let head = try tables.head()
            var page = WireRawSnapshotPage.with { ($0.total, $0.head) = (head.landmarks, head.rev) }
            // No id is so great. As a signed integer it would come before all ids.
            if let after, after.high > UInt64(Int64.max) { return page }
            let limit = max(1, limit)
            var (bytes, bytesRead, rowsRead) = (0, 0, 0)
            var last: Landmark.ID?
            let most = filter.isEmpty ? limit + 1 : mostRows + 1
            try tables.landmarks(after: after?.high ?? 0, limit: most) { id, record in
                if !filter.isEmpty {
                    rowsRead += 1
                    bytesRead += record.count
                    if rowsRead > mostRows || bytesRead > mostBytes, last != nil {
                        page.next = last?.wire ?? Data()
                        return false
                    }
                    guard filter.matches(try record.withUnsafeBytes { try FilterSubject(encoded: $0) }) else {
                        last = id
                        return true
                    }
                }
                bytes += record.count
                if page.landmarks.count == limit || (bytes > maxBytes && !page.landmarks.isEmpty) {
                    page.next = last?.wire ?? Data()
                    return false
                }
                page.landmarks.append(record)
                last = id
                return true
            }
            return page
        }
    }

    /// Returns the points of a landmark's track after a time, in the order of their times, without points from before
    /// `since`. A page ends at the same limits as a page of changes.
    ///
    /// - Parameters:
    ///   - since: a time in Unix milliseconds.
    ///   - time: the time of the last point before the page; 0 to begin with the first point.
    /// - Throws: ``EngineError/notFound`` if the landmark never existed or was removed.
    package func track(
        _ id: Landmark.ID, since: UInt64, after time: UInt64, limit: Int
    ) async throws(EngineError) -> WireTrackPage {
        try await read { tables in
            guard try tables.record(id) != nil else { throw EngineError.notFound }
            var page = WireTrackPage()
            // No time is so great. As a signed integer it would come before all others.
            let start = max(time, since - min(since, 1))
            guard start <= UInt64(Int64.max) else { return page }
            try tables.points(of: id.high, after: start, limit: limit + 1) { point in
                guard page.points.count < limit else {
                    page.next = page.points.last?.at ?? start
                    return false
                }
                page.points.append(WireTrackPoint(point))
                return true
            }
            return page
        }
    }
}
