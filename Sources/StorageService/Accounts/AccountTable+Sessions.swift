// SPDX-License-Identifier: Apache-2.0

import Accounts
import SQLite

/// Keys that are sessions of browsers. They come and go, so few are kept.
extension AccountTable {
    /// The most sessions of one account. A further one ends the oldest, so that nobody is kept out.
    static let mostSessions = 20
    /// A session is kept for so many milliseconds after it has expired: query services refuse it by their own clocks then.
    private static let afterwards: UInt64 = 86_400_000

    mutating func makeRoomForSession(of account: UInt64, now: UInt64) throws {
        // Nobody needs to be told: whoever still has it knows when it expired.
        try db.cachedStatement(sql: "DELETE FROM account_keys WHERE account = ? AND kind = ? AND expires < ?")
            .run(account.bits, KeyKind.session.rawValue, (now - min(now, Self.afterwards)).bits)
        revision += 1
        try db.cachedStatement(
            sql: """
                UPDATE account_keys SET ended = ?1, revision = ?2 WHERE key IN (
                    SELECT key FROM account_keys WHERE account = ?3 AND kind = ?4 AND ended = 0
                    ORDER BY made DESC, rowid DESC LIMIT -1 OFFSET ?5)
                """
        ).run(
            now.bits, revision.bits, account.bits, KeyKind.session.rawValue, Self.mostSessions - 1)
    }

    /// Ends all sessions of an account with one revision.
    mutating func endSessions(of account: UInt64, now: UInt64) throws {
        revision += 1
        try db.cachedStatement(
            sql: "UPDATE account_keys SET ended = ?, revision = ? WHERE account = ? AND kind = ? AND ended = 0"
        ).run(now.bits, revision.bits, account.bits, KeyKind.session.rawValue)
    }
}
