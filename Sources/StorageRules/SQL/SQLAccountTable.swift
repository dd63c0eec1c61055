// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol
import ZeroMQ

/// Accounts and their keys. They change seldom, so each change simply runs a statement.
package struct SQLAccountTable: AccountTable {
    let db: any SQLSession

    func newestRevision() throws -> UInt64 {
        try db.value(
            """
            SELECT coalesce(max(revision), 0) FROM (
                SELECT max(revision) AS revision FROM accounts
                UNION ALL SELECT max(revision) FROM account_keys) AS newest
            """
        ) { row in try row.bits(0) } ?? 0
    }

    // MARK: Accounts

    private static let columns = "number, name, role, password, created, ended"

    package func find(_ number: UInt64) throws -> StoredAccount? {
        try db.value("SELECT \(Self.columns) FROM accounts WHERE number = $1", [.bits(number)], read: Self.account)
    }

    package func find(named name: String) throws -> StoredAccount? {
        // No stored name has a NUL character, and PostgreSQL takes none in a parameter.
        guard !name.utf8.contains(0) else { return nil }
        return try db.value(
            "SELECT \(Self.columns) FROM accounts WHERE folded = $1", [.text(name.normal.lowercased())],
            read: Self.account)
    }

    /// Returns the accounts with numbers above `number`, in the order of their numbers.
    func all(after number: UInt64, limit: Int) throws -> [StoredAccount] {
        try db.values(
            "SELECT \(Self.columns) FROM accounts WHERE number > $1 ORDER BY number LIMIT $2",
            [.bits(number), .int(limit)], read: Self.account)
    }

    func count(_ role: Role) throws -> Int {
        try db.count("SELECT count(*) FROM accounts WHERE role = $1 AND ended = 0", [.int(role.rawValue)])
    }

    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) throws -> StoredAccount {
        try db.write(
            """
            INSERT INTO accounts (name, folded, role, password, created, ended, revision)
            VALUES ($1, $2, $3, '', $4, 0, $5)
            """,
            [.text(name), .text(name.normal.lowercased()), .int(role.rawValue), .bits(now), .bits(revision)])
        guard let made = try find(named: name) else {
            throw EngineError.corrupted("an account that was just made is not there")
        }
        return made
    }

    func update(_ stored: StoredAccount, revision: UInt64) throws {
        let account = stored.account
        try db.write(
            """
            UPDATE accounts SET name = $1, folded = $2, role = $3, password = $4, ended = $5, revision = $6
            WHERE number = $7
            """,
            [
                .text(account.name), .text(account.name.normal.lowercased()), .int(account.role.rawValue),
                .text(stored.password), .bits(stored.ended), .bits(revision), .bits(account.number),
            ])
    }

    private static func account(_ row: any StoredRow) throws -> StoredAccount {
        guard let role = Role(rawValue: Int(clamping: try row.bits(2))) else {
            throw EngineError.corrupted("an account has an unknown role")
        }
        let ended = try row.bits(5)
        return StoredAccount(
            account: Account(number: try row.bits(0), name: try row.text(1), role: role, isEnded: ended > 0),
            password: try row.text(3), created: try row.bits(4), ended: ended)
    }

    // MARK: Keys

    package func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? {
        try db.value(
            "SELECT key, label, made, expires, ended, kind, reads, account FROM account_keys WHERE key = $1",
            [.blob(key.bytes)]
        ) { row in (try row.bits(7), try Self.keyInfo(row)) }
    }

    /// Returns the keys of an account, newest first.
    package func keys(of account: UInt64, limit: Int = WaymarkProtocol.pageRows) throws -> [WireKeyInfo] {
        try db.values(
            """
            SELECT key, label, made, expires, ended, kind, reads FROM account_keys WHERE account = $1
            ORDER BY made DESC LIMIT $2
            """, [.bits(account), .int(limit)], read: Self.keyInfo)
    }

    func usableKeys(of account: UInt64, now: UInt64) throws -> Int {
        try db.count(
            """
            SELECT count(*) FROM account_keys
            WHERE account = $1 AND kind <> $2 AND ended = 0 AND (expires = 0 OR expires > $3)
            """, [.bits(account), .int(KeyKind.session.rawValue), .bits(now)])
    }

    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) throws {
        try db.write(
            """
            INSERT INTO account_keys (key, kind, account, label, made, expires, ended, revision, reads)
            VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8)
            """,
            [
                .blob(key.key.bytes), .int(key.kind.rawValue), .bits(account), .text(key.label), .bits(now),
                .bits(key.expires), .bits(revision), .integer(key.readsOnly ? 1 : 0),
            ])
    }

    func end(_ key: CurveKey, revision: UInt64, now: UInt64) throws {
        try db.write(
            "UPDATE account_keys SET ended = $1, revision = $2 WHERE key = $3 AND ended = 0",
            [.bits(now), .bits(revision), .blob(key.bytes)])
    }

    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) throws {
        try db.write(
            "UPDATE account_keys SET ended = $1, revision = $2 WHERE account = $3 AND ended = 0",
            [.bits(now), .bits(revision), .bits(account)])
    }

    func endSessions(
        of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64
    ) throws {
        // If two sessions were made in the same millisecond, their revisions show which is newer. SQLite allows no
        // OFFSET without a LIMIT.
        try db.write(
            """
            UPDATE account_keys SET ended = $1, revision = $2 WHERE key IN (
                SELECT key FROM account_keys WHERE account = $3 AND kind = $4 AND ended = 0 AND key <> $5
                ORDER BY made DESC, revision DESC LIMIT \(Int64.max) OFFSET $6)
            """,
            [
                .bits(now), .bits(revision), .bits(account), .int(KeyKind.session.rawValue), .blob(key?.bytes ?? []),
                .int(newest),
            ])
    }

    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) throws -> UInt64 {
        let ended = "account = $1 AND (ended > 0 OR (expires > 0 AND expires <= $2))"
        let forgotten = """
            FROM account_keys WHERE \(ended) AND (
                (ended > 0 AND ended < $3) OR (expires > 0 AND expires < $3) OR key NOT IN (
                    SELECT key FROM account_keys WHERE \(ended) ORDER BY revision DESC, key LIMIT $4))
            """
        let values: [StoredValue] = [.bits(account), .bits(now), .bits(time), .int(newest)]
        let revision = try db.value("SELECT coalesce(max(revision), 0) \(forgotten)", values) { try $0.bits(0) } ?? 0
        if revision > 0 { try db.write("DELETE \(forgotten)", values) }
        return revision
    }

    private static func keyInfo(_ row: any StoredRow) throws -> WireKeyInfo {
        var info = WireKeyInfo()
        info.key = try row.data(0)
        info.label = try row.text(1)
        (info.made, info.expires, info.ended) = (try row.bits(2), try row.bits(3), try row.bits(4))
        (info.kind, info.readsOnly) = (try kind(row, 5).wire, try row.bits(6) > 0)
        return info
    }

    private static func kind(_ row: any StoredRow, _ column: Int) throws -> KeyKind {
        guard let kind = KeyKind(rawValue: Int(clamping: try row.bits(column))) else {
            throw EngineError.corrupted("a key has an unknown kind")
        }
        return kind
    }

    // MARK: News

    /// Returns the accounts and keys that changed after a revision. A page ends after about `limit` rows, and always
    /// includes all rows of its last revision.
    package func news(since revision: UInt64, limit: Int = .max) throws -> AccountNews {
        let newest = try newestRevision()
        let last = try db.value(Self.lastRevision, [.bits(revision), .int(limit)]) { row in
            row.isNull(0) ? newest : try row.bits(0)
        }
        var news = AccountNews(revision: last ?? newest, newest: newest)
        let range = [StoredValue.bits(revision), .bits(news.revision)]
        news.accounts = try db.values(
            "SELECT \(Self.columns) FROM accounts WHERE revision > $1 AND revision <= $2", range
        ) { row in try Self.account(row).account }
        news.keys = try db.values(
            """
            SELECT key, account, expires, ended, kind, reads FROM account_keys WHERE revision > $1 AND revision <= $2
            """, range
        ) { row in
            guard let key = CurveKey(bytes: try row.bytes(0)) else {
                throw EngineError.corrupted("a key does not have 32 bytes")
            }
            return AccountKey(
                key: key, kind: try Self.kind(row, 4), account: try row.bits(1), expires: try row.bits(2),
                isEnded: try row.bits(3) > 0, readsOnly: try row.bits(5) > 0)
        }
        return news
    }

    /// Selects the revision of the last row that fits on a page.
    private static let lastRevision = """
        SELECT max(revision) FROM (
            SELECT revision FROM (
                SELECT revision FROM accounts WHERE revision > $1
                UNION ALL SELECT revision FROM account_keys WHERE revision > $1) AS news
            ORDER BY revision LIMIT $2) AS page
        """
}
