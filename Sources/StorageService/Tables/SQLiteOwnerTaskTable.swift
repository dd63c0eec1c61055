// SPDX-License-Identifier: Apache-2.0

import SQLite

struct SQLiteOwnerTaskTable: OwnerTaskTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func first() throws -> OwnerTask? {
        try db.cachedStatement(sql: "SELECT id, account, claimed, after FROM owner_tasks ORDER BY id LIMIT 1").first {
            row in
            OwnerTask(
                id: try row.bits(0), account: try row.bits(1), claimed: row.isNull(2) ? nil : try row.text(2),
                after: try row.bits(3))
        }
    }

    func add(account: UInt64, claimed: String?) throws {
        try db.cachedStatement(sql: "INSERT INTO owner_tasks (account, claimed, after) VALUES (?, ?, 0)")
            .run(account.bits, claimed)
    }

    func advance(_ task: OwnerTask, to key: UInt64?) throws {
        if let key {
            try db.cachedStatement(sql: "UPDATE owner_tasks SET after = ? WHERE id = ?").run(key.bits, task.id.bits)
        } else {
            try db.cachedStatement(sql: "DELETE FROM owner_tasks WHERE id = ?").run(task.id.bits)
        }
    }
}
