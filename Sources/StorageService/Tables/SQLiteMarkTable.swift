// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The marks of forgotten answers. Used inside the writer's transactions only.
struct SQLiteMarkTable: MarkTable, SQLTable {
    let db: any SQLSession
    private let insertion: Statement
    private let deletion: Statement

    init(_ db: Database) throws {
        self.db = db
        insertion = try Statement(
            db, sql: "INSERT INTO forgotten (id, client_high, client_low, sequence) VALUES (?, ?, ?, ?)")
        deletion = try Statement(db, sql: "DELETE FROM forgotten WHERE id >= ? AND id < ?")
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
}
