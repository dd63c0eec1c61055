// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SQLite
import WaymarkProtocol

/// Reads the log and the landmarks. Each read is one transaction, so its result is of one revision.
struct SQLiteLog: Sendable {
    let database: OpenDatabase

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        try await database.read(body)
    }

    /// The most rows that one page examines with a filter: bounds the cost of a request.
    private static let mostRows = 20_000
    /// The most bytes of those rows.
    private static let mostBytes = 16 * 1024 * 1024

    func changes(
        since rev: UInt64, run: UUIDv7? = nil, matching filter: FeedFilter = .everything, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> ChangeLogPage {
        try await read { db in
            if let run, try !RunTable.canHaveReached(rev, run, db) {
                throw EngineError.otherHistory
            }
            let head = try SQLiteChangeTable.head(db).rev
            let floor = try SQLiteChangeTable.floor(db)
            guard rev <= head else { throw EngineError.futureRevision(floor: floor, head: head) }
            guard rev + 1 >= floor else {
                throw EngineError.compacted(floor: floor, head: head)
            }
            var page = ChangeLogPage(changes: [], through: rev, head: head, floor: floor)
            var (bytes, bytesRead) = (0, 0)
            let statement = try db.cachedStatement(
                sql: "SELECT rev, payload FROM changes WHERE rev > ? ORDER BY rev LIMIT ?")
            let most = filter.isEmpty ? max(1, limit) : Self.mostRows
            let rows = try Row.fetchCursor(statement, arguments: [rev.bits, most])
            while let row = try rows.next() {
                let change = try row.data(1)
                // Readers rely on pages without holes, so a hole is an error.
                guard try row.bits(0) == page.through + 1 else {
                    throw EngineError.corrupted("revision \(page.through + 1) is missing")
                }
                bytesRead += change.count
                if bytesRead > Self.mostBytes, page.through > rev { break }
                if !filter.isEmpty {
                    guard let operation = try Self.operation(of: change, filter) else {
                        page.through += 1
                        continue
                    }
                    guard page.changes.count < max(1, limit) else { break }
                    page.operations.append(operation)
                }
                bytes += change.count
                if bytes > maxBytes, !page.changes.isEmpty {
                    if !filter.isEmpty { page.operations.removeLast() }
                    break
                }
                page.changes.append(change)
                page.through += 1
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

    func locate(before time: UInt64) async throws(EngineError) -> LocatedRevision {
        try await read { db in
            LocatedRevision(
                rev: try SQLiteChangeTable.last(db, before: time), floor: try SQLiteChangeTable.floor(db))
        }
    }

    /// - Throws: ``EngineError/futureRevision(floor:head:)`` if there is no such revision yet.
    func requireRevision(_ rev: UInt64) async throws(EngineError) {
        try await read { db in
            let head = try SQLiteChangeTable.head(db).rev
            guard rev <= head else {
                throw EngineError.futureRevision(floor: try SQLiteChangeTable.floor(db), head: head)
            }
        }
    }

    func snapshot(
        after: Landmark.ID?, matching filter: FeedFilter = .everything, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> RecordPage {
        try await read { db in
            let head = try SQLiteChangeTable.head(db)
            var page = RecordPage(records: [], next: nil, total: head.landmarks, rev: head.rev)
            // No id is that great. As a signed integer it would come before all ids.
            if let after, after.high > UInt64(Int64.max) { return page }
            let limit = max(1, limit)
            var (bytes, bytesRead, rowsRead) = (0, 0, 0)
            var last: Landmark.ID?
            let statement = try db.cachedStatement(
                sql: "SELECT key, low, record FROM landmarks WHERE key > ? ORDER BY key LIMIT ?")
            let rows = try Row.fetchCursor(
                statement, arguments: [(after?.high ?? 0).bits, filter.isEmpty ? limit + 1 : Self.mostRows + 1])
            while let row = try rows.next() {
                let record = try row.data(2)
                if !filter.isEmpty {
                    rowsRead += 1
                    bytesRead += record.count
                    if rowsRead > Self.mostRows || bytesRead > Self.mostBytes, last != nil {
                        page.next = last
                        break
                    }
                    guard filter.matches(try record.withUnsafeBytes { try FilterSubject(encoded: $0) }) else {
                        last = Landmark.ID(high: try row.bits(0), low: try row.bits(1))
                        continue
                    }
                }
                bytes += record.count
                if page.records.count == limit || (bytes > maxBytes && !page.records.isEmpty) {
                    page.next = last
                    break
                }
                page.records.append(record)
                last = Landmark.ID(high: try row.bits(0), low: try row.bits(1))
            }
            return page
        }
    }

    /// The records of the landmarks in `ids` that still exist, in the order of `ids`.
    func records(_ ids: [Landmark.ID]) async throws(EngineError) -> [SearchResult.Match] {
        try await read { db in
            let statement = try db.cachedStatement(sql: "SELECT record FROM landmarks WHERE key = ? AND low = ?")
            return try ids.compactMap { id in
                try statement.first(id.high.bits, id.low.bits) { row in
                    SearchResult.Match(id: id, record: try row.data(0))
                }
            }
        }
    }
}
