// SPDX-License-Identifier: Apache-2.0

import SQLite

/// Invitations: one at most for each account, until it is used or another one takes its place.
struct SQLiteInvitationTable: InvitationTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO invitations (account, digest, expires) VALUES (?, ?, ?)")
            .run(account.bits, invitation.digest, invitation.expires.bits)
    }

    /// Until when the account's invitation may be used; nil if there is none.
    static func expires(_ db: Database, of account: UInt64) throws -> UInt64? {
        try db.cachedStatement(sql: "SELECT expires FROM invitations WHERE account = ?")
            .first(account.bits) { row in try row.bits(0) }
    }

    static func isValid(_ db: Database, _ digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool {
        try db.cachedStatement(sql: "SELECT 1 FROM invitations WHERE account = ? AND digest = ? AND expires > ?")
            .first(account.bits, digest, now.bits) { _ in true } ?? false
    }

    func isValid(_ digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool {
        try Self.isValid(db, digest, for: account, now: now)
    }

    func remove(of account: UInt64) throws {
        try db.cachedStatement(sql: "DELETE FROM invitations WHERE account = ?").run(account.bits)
    }
}
