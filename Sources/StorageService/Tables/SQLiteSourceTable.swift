// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// For each row of each source its last draft, and the landmark that it created.
struct SQLiteSourceTable: SourceTable {
    private let select: Statement
    private let insert: Statement
    private let updateDraft: Statement
    private let orphan: Statement
    private let delete: Statement
    private let renaming: Statement
    private let any: Statement

    init(_ db: Database) throws {
        select = try Statement(db, sql: "SELECT landmark, draft FROM source_rows WHERE source = ? AND key = ?")
        insert = try Statement(
            db, sql: "INSERT INTO source_rows (source, key, landmark, draft) VALUES (?, ?, ?, ?)")
        updateDraft = try Statement(db, sql: "UPDATE source_rows SET draft = ?3 WHERE source = ?1 AND key = ?2")
        orphan = try Statement(db, sql: "UPDATE source_rows SET landmark = NULL WHERE source = ? AND key = ?")
        any = try Statement(db, sql: "SELECT 1 FROM source_rows WHERE source = ? LIMIT 1")
        renaming = try Statement(db, sql: "UPDATE source_rows SET key = ?3 WHERE source = ?1 AND key = ?2")
        delete = try Statement(db, sql: "DELETE FROM source_rows WHERE source = ? AND key = ?")
    }

    func find(_ key: SourceKey) throws -> SourceRow? {
        bind(select, key)
        return try select.first { row in
            SourceRow(landmark: row.isNull(0) ? nil : try row.bits(0), draft: try row.bytes(1))
        }
    }

    func insert(_ key: SourceKey, landmark: Landmark.ID, draft: [UInt8]) throws {
        bind(insert, key)
        insert.bind(3, landmark.high)
        insert.bind(4, draft)
        try insert.run()
    }

    func update(_ key: SourceKey, draft: [UInt8]) throws {
        bind(updateDraft, key)
        updateDraft.bind(3, draft)
        try updateDraft.run()
    }

    /// Keeps the row, without its landmark.
    func orphan(_ key: SourceKey) throws {
        bind(orphan, key)
        try orphan.run()
    }

    func hasRows(of source: String) throws -> Bool {
        any.bind(1, source)
        return try any.first { _ in true } ?? false
    }

    /// Gives the row another key.
    func rename(_ key: SourceKey, to new: String) throws {
        bind(renaming, key)
        renaming.bind(3, new)
        try renaming.run()
    }

    func delete(_ key: SourceKey) throws {
        bind(delete, key)
        try delete.run()
    }

    private func bind(_ statement: Statement, _ key: SourceKey) {
        statement.bind(1, key.name)
        statement.bind(2, key.key)
    }
}
