// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The marks of forgotten answers. Used inside the writer's transactions only.
struct SQLiteMarkTable: MarkTable {
    private let db: Database
    private let insertion: Statement
    private let deletion: Statement

    init(_ db: Database) throws {
        self.db = db
        insertion = try Statement(
            db, sql: "INSERT INTO forgotten (id, client_high, client_low, sequence) VALUES (?, ?, ?, ?)")
        deletion = try Statement(db, sql: "DELETE FROM forgotten WHERE id >= ? AND id < ?")
    }

    func forEach(_ body: (UInt64, UUIDv7, UInt64) throws -> Void) throws {
        let all = try Row.fetchCursor(
            db, sql: "SELECT id, client_high, client_low, sequence FROM forgotten ORDER BY id")
        while let row = try all.next() {
            try body(try row.bits(0), UUIDv7(high: try row.bits(1), low: try row.bits(2)), try row.bits(3))
        }
    }

    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) throws {
        insertion.bind(1, id)
        insertion.bind(2, client.high)
        insertion.bind(3, client.low)
        insertion.bind(4, sequence)
        try insertion.run()
    }

    func delete(_ ids: Range<UInt64>) throws {
        deletion.bind(1, ids.lowerBound)
        deletion.bind(2, ids.upperBound)
        try deletion.run()
    }

    func newest() throws -> UInt64 {
        try db.makeStatement(sql: "SELECT id FROM forgotten ORDER BY id DESC LIMIT 1")
            .first { row in try row.bits(0) } ?? 0
    }
}
