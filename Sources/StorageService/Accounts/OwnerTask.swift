// SPDX-License-Identifier: Apache-2.0

import SQLite

/// Landmarks and notes that are to get another owner, or their owner's new name. It goes through all landmarks once, some
/// at a time, and survives a restart.
struct OwnerTask: Hashable, Sendable {
    var id: UInt64
    /// The owner from then on.
    var account: UInt64
    /// Whose they were: a name that was claimed, with no account. Nil: those that the account has already.
    var claimed: String?
    /// The key of the last landmark that was looked at.
    var after: UInt64

    static func first(_ db: Database) throws -> OwnerTask? {
        try db.cachedStatement(sql: "SELECT id, account, claimed, after FROM owner_tasks ORDER BY id LIMIT 1").first {
            row in
            OwnerTask(
                id: try row.bits(0), account: try row.bits(1), claimed: row.isNull(2) ? nil : try row.text(2),
                after: try row.bits(3))
        }
    }

    static func add(_ db: Database, account: UInt64, claimed: String?) throws {
        try db.cachedStatement(sql: "INSERT INTO owner_tasks (account, claimed, after) VALUES (?, ?, 0)")
            .run(account.bits, claimed)
    }

    /// - Parameter key: nil: all have been looked at.
    func advance(_ db: Database, to key: UInt64?) throws {
        if let key {
            try db.cachedStatement(sql: "UPDATE owner_tasks SET after = ? WHERE id = ?").run(key.bits, id.bits)
        } else {
            try db.cachedStatement(sql: "DELETE FROM owner_tasks WHERE id = ?").run(id.bits)
        }
    }
}
