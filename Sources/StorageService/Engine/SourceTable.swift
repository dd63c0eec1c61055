// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Landmarks

/// What each row of each source last said, and which landmark it became.
struct SourceTable {
    struct SourceRow {
        /// The landmark's key; nil when a person has removed it.
        var landmark: UInt64?
        /// The encoded draft.
        var draft: Data
    }

    private let select: Statement
    private let insert: Statement
    private let updateDraft: Statement
    private let orphan: Statement
    private let delete: Statement

    init(_ db: Database) throws {
        select = try db.makeStatement(sql: "SELECT landmark, draft FROM source_rows WHERE source = ? AND key = ?")
        insert = try db.makeStatement(
            sql: "INSERT INTO source_rows (source, key, landmark, draft) VALUES (?, ?, ?, ?)")
        updateDraft = try db.makeStatement(sql: "UPDATE source_rows SET draft = ? WHERE source = ? AND key = ?")
        orphan = try db.makeStatement(sql: "UPDATE source_rows SET landmark = NULL WHERE source = ? AND key = ?")
        delete = try db.makeStatement(sql: "DELETE FROM source_rows WHERE source = ? AND key = ?")
    }

    func find(_ key: SourceKey) throws -> SourceRow? {
        guard let row = try select.one(key.name, key.key) else { return nil }
        return SourceRow(landmark: row.isNull(0) ? nil : try row.bits(0), draft: try row.data(1))
    }

    func insert(_ key: SourceKey, landmark: Landmark.ID, draft: Data) throws {
        try insert.run(key.name, key.key, landmark.high.bits, draft)
    }

    func update(_ key: SourceKey, draft: Data) throws {
        try updateDraft.run(draft, key.name, key.key)
    }

    /// The row goes on without its landmark.
    func orphan(_ key: SourceKey) throws {
        try orphan.run(key.name, key.key)
    }

    func delete(_ key: SourceKey) throws {
        try delete.run(key.name, key.key)
    }
}
