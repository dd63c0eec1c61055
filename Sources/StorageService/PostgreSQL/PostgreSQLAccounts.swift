// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import PostgreSQL
import WaymarkProtocol
import ZeroMQ

/// Reads accounts and keys, for the writer and for readers.
struct PostgreSQLAccounts {
    static let newestRevision = """
        SELECT greatest(coalesce((SELECT max(revision) FROM accounts), 0),
            coalesce((SELECT max(revision) FROM account_keys), 0))
        """
    private static let columns = "number, name, role, password, created, ended"

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func find(_ number: UInt64) throws -> StoredAccount? {
        try connection.first(
            "SELECT \(Self.columns) FROM accounts WHERE number = $1", [.bits(number)], read: Self.account)
    }

    func find(named name: String) throws -> StoredAccount? {
        // No account has one, and PostgreSQL takes none in a question either.
        guard !name.utf8.contains(0) else { return nil }
        return try connection.first(
            "SELECT \(Self.columns) FROM accounts WHERE folded = $1", [.text(name.normal.lowercased())],
            read: Self.account)
    }

    func all(after number: UInt64, limit: Int) throws -> [StoredAccount] {
        try connection.rows(
            "SELECT \(Self.columns) FROM accounts WHERE number > $1 ORDER BY number LIMIT $2",
            [.bits(number), .int8(Int64(limit))]
        ).map(Self.account)
    }

    private static func account(_ row: Row) throws -> StoredAccount {
        guard let role = Role(rawValue: Int(clamping: try row.int8(2))) else {
            throw EngineError.corrupted("an account has an unknown role")
        }
        let ended = try row.bits(5)
        return StoredAccount(
            account: Account(number: try row.bits(0), name: try row.text(1), role: role, isEnded: ended > 0),
            password: try row.text(3), created: try row.bits(4), ended: ended)
    }

    // MARK: Keys

    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? {
        try connection.first(
            "SELECT key, label, made, expires, ended, kind, account FROM account_keys WHERE key = $1",
            [.bytea(key.bytes)]
        ) { row in (try row.bits(6), try Self.keyInfo(row)) }
    }

    func keys(of account: UInt64, limit: Int) throws -> [WireKeyInfo] {
        try connection.rows(
            """
            SELECT key, label, made, expires, ended, kind FROM account_keys WHERE account = $1
            ORDER BY made DESC LIMIT $2
            """, [.bits(account), .int8(Int64(limit))]
        ).map(Self.keyInfo)
    }

    func usableKeys(of account: UInt64, now: UInt64) throws -> Int {
        let count = try connection.first(
            """
            SELECT count(*) FROM account_keys
            WHERE account = $1 AND kind <> $2 AND ended = 0 AND (expires = 0 OR expires > $3)
            """, [.bits(account), .int8(Int64(KeyKind.session.rawValue)), .bits(now)]
        ) { row in try row.bits(0) }
        return Int(clamping: count ?? 0)
    }

    private static func keyInfo(_ row: Row) throws -> WireKeyInfo {
        var info = WireKeyInfo()
        info.key = try row.data(0)
        info.label = try row.text(1)
        (info.made, info.expires, info.ended) = (try row.bits(2), try row.bits(3), try row.bits(4))
        info.kind = try kind(row, 5).wire
        return info
    }

    private static func kind(_ row: Row, _ column: Int) throws -> KeyKind {
        guard let kind = KeyKind(rawValue: Int(clamping: try row.int8(column))) else {
            throw EngineError.corrupted("a key has an unknown kind")
        }
        return kind
    }

    // MARK: Invitations

    func invitationExpires(of account: UInt64) throws -> UInt64? {
        try connection.first("SELECT expires FROM invitations WHERE account = $1", [.bits(account)]) { row in
            try row.bits(0)
        }
    }

    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) throws -> Bool {
        try connection.rows(
            "SELECT 1 FROM invitations WHERE account = $1 AND digest = $2 AND expires > $3",
            [.bits(account), .bytea(digest), .bits(now)]
        ).count > 0
    }

    // MARK: News

    /// The accounts and keys that changed after a revision.
    func news(since revision: UInt64, limit: Int?) throws -> AccountNews {
        let newest = try connection.first(Self.newestRevision) { row in try row.bits(0) } ?? 0
        var news = AccountNews(revision: newest, newest: newest)
        if let limit {
            let last = try connection.first(
                AccountNews.lastRevision("$1", "$2"), [.bits(revision), .int8(Int64(limit))]
            ) { row in row.isNull(0) ? nil : try row.bits(0) }
            news.revision = last.flatMap { $0 } ?? newest
        }
        let range: [Parameter] = [.bits(revision), .bits(news.revision)]
        news.accounts = try connection.rows(
            "SELECT \(Self.columns) FROM accounts WHERE revision > $1 AND revision <= $2", range
        ).map { try Self.account($0).account }
        news.keys = try connection.rows(
            "SELECT key, account, expires, ended, kind FROM account_keys WHERE revision > $1 AND revision <= $2", range
        ).map { row in
            guard let key = CurveKey(bytes: try row.bytes(0)) else {
                throw EngineError.corrupted("a key does not have 32 bytes")
            }
            return AccountKey(
                key: key, kind: try Self.kind(row, 4), account: try row.bits(1), expires: try row.bits(2),
                isEnded: try row.bits(3) > 0)
        }
        return news
    }
}
