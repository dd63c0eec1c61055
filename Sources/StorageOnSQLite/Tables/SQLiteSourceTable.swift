// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// For each row of each source, the last draft, and the landmark that was made from the row.
struct SQLiteSourceTable: SourceTable, SQLTable {
    let db: any SQLSession
    private let select: Statement
    private let insertion: Statement
    private let updating: Statement
    private let deletion: Statement

    init(_ db: Database) throws {
        self.db = db
        select = try Statement(db, sql: "SELECT landmark, draft FROM source_rows WHERE source = ? AND key = ?")
        insertion = try Statement(
            db, sql: "INSERT INTO source_rows (source, key, landmark, draft) VALUES (?, ?, ?, ?)")
        updating = try Statement(
            db, sql: "UPDATE source_rows SET landmark = ?3, draft = ?4 WHERE source = ?1 AND key = ?2")
        deletion = try Statement(db, sql: "DELETE FROM source_rows WHERE source = ? AND key = ?")
    }

    func find(_ key: SourceKey) throws -> RememberedRow? {
        bind(select, key)
        return try select.first { row in
            RememberedRow(landmark: row.isNull(0) ? nil : try row.bits(0), draft: try row.bytes(1))
        }
    }

    func insert(_ key: SourceKey, _ row: RememberedRow) throws { try run(insertion, key, row) }
    func update(_ key: SourceKey, _ row: RememberedRow) throws { try run(updating, key, row) }

    func delete(_ key: SourceKey) throws {
        bind(deletion, key)
        try deletion.run()
    }

    private func run(_ statement: Statement, _ key: SourceKey, _ row: RememberedRow) throws {
        bind(statement, key)
        if let landmark = row.landmark { statement.bind(3, landmark) } else { statement.bindNull(3) }
        statement.bind(4, row.draft)
        try statement.run()
    }

    private func bind(_ statement: Statement, _ key: SourceKey) {
        statement.bind(1, key.name)
        statement.bind(2, key.key)
    }
}
