// SPDX-License-Identifier: Apache-2.0

import SQLite

@testable import StorageOnSQLite

extension SQLiteEngine {
    /// Looks into the database, or does to it what no command does.
    func probe<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.writeWithoutTransaction(body)
    }

    /// As a full disk would: SQLite may take no more pages than these, nor fewer than it has.
    func limitPages(to pages: Int) throws {
        try probe { db in try db.execute(sql: "PRAGMA max_page_count = \(max(1, pages))") }
    }
}
