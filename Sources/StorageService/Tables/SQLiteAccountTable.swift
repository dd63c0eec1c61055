// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import SQLite
import WaymarkProtocol
import ZeroMQ

/// Accounts and their keys. The writer's are used inside its transactions only.
struct SQLiteAccountTable: AccountTable {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func newestRevision() throws -> UInt64 { try Self.revision(db) }

    static func revision(_ db: Database) throws -> UInt64 {
        try db.cachedStatement(
            sql: """
                SELECT max(coalesce((SELECT max(revision) FROM accounts), 0),
                    coalesce((SELECT max(revision) FROM account_keys), 0))
                """
        ).first { row in try row.bits(0) } ?? 0
    }

    // MARK: Accounts

    private static let columns = "number, name, role, password, created, ended"

    static func find(_ db: Database, _ number: UInt64) throws -> StoredAccount? {
        try db.cachedStatement(sql: "SELECT \(columns) FROM accounts WHERE number = ?")
            .first(number.bits, read: account)
    }

    /// Case does not count, so that nobody can take a name that looks like another's.
    static func find(_ db: Database, named name: String) throws -> StoredAccount? {
        try db.cachedStatement(sql: "SELECT \(columns) FROM accounts WHERE folded = ?")
            .first(name.normal.lowercased(), read: account)
    }

    static func all(_ db: Database, after number: UInt64, limit: Int) throws -> [StoredAccount] {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM accounts WHERE number > ? ORDER BY number LIMIT ?",
            arguments: [number.bits, limit])
        var accounts: [StoredAccount] = []
        while let row = try rows.next() { accounts.append(try account(row)) }
        return accounts
    }

    func find(_ number: UInt64) throws -> StoredAccount? { try Self.find(db, number) }

    func find(named name: String) throws -> StoredAccount? { try Self.find(db, named: name) }

    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) throws -> StoredAccount {
        try db.cachedStatement(
            sql: """
                INSERT INTO accounts (name, folded, role, password, created, ended, revision)
                VALUES (?, ?, ?, '', ?, 0, ?)
                """
        ).run(name, name.normal.lowercased(), role.rawValue, now.bits, revision.bits)
        guard let made = try Self.find(db, named: name) else {
            throw EngineError.corrupted("an account that was just made is not there")
        }
        return made
    }

    func update(_ stored: StoredAccount, revision: UInt64) throws {
        let account = stored.account
        try db.cachedStatement(
            sql: """
                UPDATE accounts SET name = ?, folded = ?, role = ?, password = ?, ended = ?, revision = ?
                WHERE number = ?
                """
        ).run(
            account.name, account.name.normal.lowercased(), account.role.rawValue, stored.password, stored.ended.bits,
            revision.bits, account.number.bits)
    }

    func count(_ role: Role) throws -> Int {
        try db.cachedStatement(sql: "SELECT count(*) FROM accounts WHERE role = ? AND ended = 0")
            .first(role.rawValue) { row in try Int(row.integer(0)) } ?? 0
    }

    private static func account(_ row: Row) throws -> StoredAccount {
        guard let role = Role(rawValue: try Int(row.integer(2))) else {
            throw EngineError.corrupted("an account has an unknown role")
        }
        let ended = try row.bits(5)
        return StoredAccount(
            account: Account(number: try row.bits(0), name: try row.text(1), role: role, isEnded: ended > 0),
            password: try row.text(3), created: try row.bits(4), ended: ended)
    }

    // MARK: Keys

    static func key(_ db: Database, _ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? {
        try db.cachedStatement(
            sql: "SELECT key, label, made, expires, ended, kind, account FROM account_keys WHERE key = ?"
        ).first(key.bytes) { row in (try row.bits(6), try keyInfo(row)) }
    }

    static func keys(_ db: Database, of account: UInt64, limit: Int) throws -> [WireKeyInfo] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT key, label, made, expires, ended, kind FROM account_keys WHERE account = ?
                ORDER BY made DESC LIMIT ?
                """, arguments: [account.bits, limit])
        var keys: [WireKeyInfo] = []
        while let row = try rows.next() { keys.append(try keyInfo(row)) }
        return keys
    }

    static func usableKeys(_ db: Database, of account: UInt64, now: UInt64) throws -> Int {
        try db.cachedStatement(
            sql: """
                SELECT count(*) FROM account_keys
                WHERE account = ? AND kind <> ? AND ended = 0 AND (expires = 0 OR expires > ?)
                """
        ).first(account.bits, KeyKind.session.rawValue, now.bits) { row in try Int(row.integer(0)) } ?? 0
    }

    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? { try Self.key(db, key) }

    func usableKeys(of account: UInt64, now: UInt64) throws -> Int { try Self.usableKeys(db, of: account, now: now) }

    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO account_keys (key, kind, account, label, made, expires, ended, revision)
                VALUES (?, ?, ?, ?, ?, ?, 0, ?)
                """
        ).run(
            key.key.bytes, key.kind.rawValue, account.bits, key.label, now.bits, key.expires.bits, revision.bits)
    }

    func end(_ key: CurveKey, revision: UInt64, now: UInt64) throws {
        try db.cachedStatement(sql: "UPDATE account_keys SET ended = ?, revision = ? WHERE key = ? AND ended = 0")
            .run(now.bits, revision.bits, key.bytes)
    }

    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) throws {
        try db.cachedStatement(sql: "UPDATE account_keys SET ended = ?, revision = ? WHERE account = ? AND ended = 0")
            .run(now.bits, revision.bits, account.bits)
    }

    func endSessions(
        of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE account_keys SET ended = ?1, revision = ?2 WHERE key IN (
                    SELECT key FROM account_keys WHERE account = ?3 AND kind = ?4 AND ended = 0 AND key <> ?6
                    ORDER BY made DESC, rowid DESC LIMIT -1 OFFSET ?5)
                """
        ).run(
            now.bits, revision.bits, account.bits, KeyKind.session.rawValue, newest,
            key?.bytes ?? [])
    }

    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) throws -> UInt64 {
        let ended = "account = ?1 AND (ended > 0 OR (expires > 0 AND expires <= ?2))"
        let forgotten = """
            FROM account_keys WHERE \(ended) AND (
                (ended > 0 AND ended < ?3) OR (expires > 0 AND expires < ?3) OR key NOT IN (
                    SELECT key FROM account_keys WHERE \(ended) ORDER BY revision DESC, key LIMIT ?4))
            """
        let revision =
            try db.cachedStatement(sql: "SELECT coalesce(max(revision), 0) \(forgotten)")
            .first(account.bits, now.bits, time.bits, newest) { row in try row.bits(0) } ?? 0
        if revision > 0 {
            try db.cachedStatement(sql: "DELETE \(forgotten)").run(account.bits, now.bits, time.bits, newest)
        }
        return revision
    }

    private static func keyInfo(_ row: Row) throws -> WireKeyInfo {
        var info = WireKeyInfo()
        info.key = Data(try row.bytes(0))
        info.label = try row.text(1)
        (info.made, info.expires, info.ended) = (try row.bits(2), try row.bits(3), try row.bits(4))
        info.kind = try kind(row, 5).wire
        return info
    }

    private static func kind(_ row: Row, _ column: Int) throws -> KeyKind {
        guard let kind = KeyKind(rawValue: try Int(row.integer(column))) else {
            throw EngineError.corrupted("a key has an unknown kind")
        }
        return kind
    }

    // MARK: News

    /// The accounts and keys that changed after a revision.
    static func news(_ db: Database, since revision: UInt64, limit: Int?) throws -> AccountNews {
        let newest = try Self.revision(db)
        var news = AccountNews(revision: newest, newest: newest)
        if let limit {
            news.revision =
                try db.cachedStatement(sql: AccountNews.lastRevision("?1", "?2"))
                .first(revision.bits, limit) { row in row.isNull(0) ? nil : try row.bits(0) }.flatMap { $0 } ?? newest
        }
        let accounts = try Row.fetchCursor(
            db, sql: "SELECT \(columns) FROM accounts WHERE revision > ? AND revision <= ?",
            arguments: [revision.bits, news.revision.bits])
        while let row = try accounts.next() { news.accounts.append(try account(row).account) }
        let keys = try Row.fetchCursor(
            db,
            sql: "SELECT key, account, expires, ended, kind FROM account_keys WHERE revision > ? AND revision <= ?",
            arguments: [revision.bits, news.revision.bits])
        while let row = try keys.next() {
            guard let key = CurveKey(bytes: try row.bytes(0)) else {
                throw EngineError.corrupted("a key does not have 32 bytes")
            }
            news.keys.append(
                AccountKey(
                    key: key, kind: try kind(row, 4), account: try row.bits(1), expires: try row.bits(2),
                    isEnded: try row.bits(3) > 0))
        }
        return news
    }
}
