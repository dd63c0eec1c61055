// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
import Landmarks
import PostgreSQL
import WaymarkProtocol
import ZeroMQ

/// What reads need, inside a transaction of PostgreSQL that sees one state.
struct PostgreSQLReadTables: ReadTables {
    /// Rows that are asked for at once: a page of large rows ends before its limit, and what was sent for nothing is little.
    private static let rowsAtOnce = 1_000

    private let connection: Connection
    private var accounts: PostgreSQLAccounts { PostgreSQLAccounts(connection) }

    init(_ connection: Connection) { self.connection = connection }

    func epoch() throws -> UUIDv7 {
        let epoch = try connection.first("SELECT epoch_high, epoch_low FROM history") { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
        guard let epoch else { throw EngineError.corrupted("it has no epoch") }
        return epoch
    }

    func head() throws -> Head {
        let head = try connection.first("SELECT rev, landmarks FROM history") { row in
            Head(rev: try row.bits(0), landmarks: try row.bits(1))
        }
        guard let head else { throw EngineError.corrupted("it has no history") }
        return head
    }

    func floor() throws -> UInt64 {
        try connection.first("SELECT rev FROM changes ORDER BY rev LIMIT 1") { row in try row.bits(0) } ?? 1
    }

    func follower(of run: UUIDv7) throws -> (isKnown: Bool, first: UInt64?) {
        let known = try connection.first(
            "SELECT id FROM runs WHERE run_high = $1 AND run_low = $2", [.bits(run.high), .bits(run.low)]
        ) { row in try row.bits(0) }
        guard let known else { return (false, nil) }
        let next = try connection.first("SELECT first FROM runs WHERE id > $1 ORDER BY id LIMIT 1", [.bits(known)]) {
            row in try row.bits(0)
        }
        return (true, next)
    }

    // MARK: The log

    func changes(after rev: UInt64, limit: Int, _ body: (UInt64, Data) throws -> Bool) throws {
        try inPieces(limit, after: rev) { after, count in
            try connection.rows(
                "SELECT rev, payload FROM changes WHERE rev > $1 ORDER BY rev LIMIT $2",
                [.bits(after), .int8(Int64(count))])
        } body: { row in
            let rev = try row.bits(0)
            return (rev, try body(rev, try row.data(1)))
        }
    }

    func time(of rev: UInt64) throws -> UInt64? {
        try connection.first("SELECT at FROM changes WHERE rev = $1", [.bits(rev)]) { row in try row.bits(0) }
    }

    func history(from rev: UInt64, limit: Int) throws -> (entries: [WireReadyHistoryEntry], isCut: Bool) {
        // One statement follows the chain: a landmark may have a hundred revisions.
        let rows = try connection.rows(
            """
            WITH RECURSIVE chain AS (
                SELECT rev, previous, at, operation, version, "user", 1 AS place FROM changes WHERE rev = $1
                UNION ALL
                SELECT c.rev, c.previous, c.at, c.operation, c.version, c."user", chain.place + 1
                FROM chain JOIN changes c ON c.rev = chain.previous WHERE chain.place < $2
            )
            SELECT rev, previous, at, operation, version, "user" FROM chain ORDER BY place
            """, [.bits(rev), .int8(Int64(limit))])
        var (entries, next) = ([WireReadyHistoryEntry](), rev)
        for row in rows where entries.count < limit {
            var entry = WireReadyHistoryEntry()
            (entry.rev, entry.at) = (try row.bits(0), try row.bits(2))
            (entry.operation, entry.version) = (UInt32(clamping: try row.bits(3)), try row.bits(4))
            entry.user = try row.text(5)
            entries.append(entry)
            next = try row.bits(1)
        }
        return (entries, next > 0 && entries.count < limit)
    }

    // MARK: Landmarks

    func landmarks(after key: UInt64, limit: Int, _ body: (Landmark.ID, Data) throws -> Bool) throws {
        try inPieces(limit, after: key) { after, count in
            try connection.rows(
                "SELECT key, low, record FROM landmarks WHERE key > $1 ORDER BY key LIMIT $2",
                [.bits(after), .int8(Int64(count))])
        } body: { row in
            let id = Landmark.ID(high: try row.bits(0), low: try row.bits(1))
            return (id.high, try body(id, try row.data(2)))
        }
    }

    func records(_ ids: [Landmark.ID]) throws -> [(id: Landmark.ID, record: Data)] {
        let rows = try connection.rows(
            "SELECT key, low, record FROM landmarks WHERE key = ANY($1)", [.column(ids.map(\.high))])
        var found: [Landmark.ID: Data] = [:]
        for row in rows { found[Landmark.ID(high: try row.bits(0), low: try row.bits(1))] = try row.data(2) }
        return ids.compactMap { id in found[id].map { (id, $0) } }
    }

    func points(of landmark: UInt64, after rev: UInt64, limit: Int, _ body: (TrackPoint) throws -> Bool) throws {
        try inPieces(limit, after: rev) { after, count in
            try connection.rows(
                """
                SELECT rev, at, lat, lng FROM track_points WHERE landmark = $1 AND rev > $2 ORDER BY rev LIMIT $3
                """, [.bits(landmark), .bits(after), .int8(Int64(count))])
        } body: { row in
            guard let place = try? Coordinate(latitude: row.double(2), longitude: row.double(3)) else {
                throw EngineError.corrupted("a point of a track is no position")
            }
            let rev = try row.bits(0)
            return (rev, try body(TrackPoint(rev: rev, at: try row.bits(1), coordinate: place)))
        }
    }

    /// - Parameters:
    ///   - fetch: up to so many rows after this number.
    ///   - body: returns the row's number, and whether to go on.
    private func inPieces(
        _ limit: Int, after start: UInt64, _ fetch: (UInt64, Int) throws -> Rows,
        body: (Row) throws -> (UInt64, Bool)
    ) throws {
        var (left, last) = (limit, start)
        while left > 0 {
            let count = min(left, Self.rowsAtOnce)
            let rows = try fetch(last, count)
            for row in rows {
                let (number, goesOn) = try body(row)
                guard goesOn else { return }
                last = number
            }
            guard rows.count == count else { return }
            left -= count
        }
    }

    // MARK: Sources

    func fetchStates() throws -> [FetchState] {
        try connection.rows("SELECT \(PostgreSQLFetchTable.columns) FROM fetches ORDER BY source")
            .map(PostgreSQLFetchTable.state)
    }

    func sourceCounts() throws -> [(source: String, landmarks: UInt64)] {
        try connection.rows("SELECT source, count(landmark) FROM source_rows GROUP BY source").map { row in
            (try row.text(0), try row.bits(1))
        }
    }

    func sourceKeys(_ source: String, after key: String, limit: Int) throws -> [String] {
        // PostgreSQL takes no NUL. No source has one, and the keys after `key` are those after what stands before its NUL.
        guard !source.utf8.contains(0) else { return [] }
        let start = String(key.prefix { $0 != "\0" })
        return try connection.rows(
            "SELECT key FROM source_rows WHERE source = $1 AND key > $2 ORDER BY key LIMIT $3",
            [.text(source), .text(start), .int8(Int64(limit))]
        ).map { try $0.text(0) }
    }

    // MARK: Accounts

    func account(named name: String) throws -> StoredAccount? { try accounts.find(named: name) }
    func account(_ number: UInt64) throws -> StoredAccount? { try accounts.find(number) }
    func accounts(after number: UInt64, limit: Int) throws -> [StoredAccount] {
        try accounts.all(after: number, limit: limit)
    }
    func usableKeys(of account: UInt64, now: UInt64) throws -> Int {
        try accounts.usableKeys(of: account, now: now)
    }
    func invitationExpires(of account: UInt64) throws -> UInt64? { try accounts.invitationExpires(of: account) }
    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) throws -> Bool {
        try accounts.isInvited(account, digest, now: now)
    }
    func keys(of account: UInt64, limit: Int) throws -> [WireKeyInfo] { try accounts.keys(of: account, limit: limit) }
    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? { try accounts.key(key) }
    func accountNews(since revision: UInt64, limit: Int) throws -> AccountNews {
        try accounts.news(since: revision, limit: limit)
    }

    func audit(before id: UInt64, limit: Int) throws -> [WireAuditEntry] {
        try connection.rows(
            """
            SELECT id, at, account, origin, deed, subject, outcome FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2
            """, [.int8(id == 0 ? Int64.max : Int64(clamping: id)), .int8(Int64(limit))]
        ).map { row in
            var entry = WireAuditEntry()
            (entry.id, entry.at) = (try row.bits(0), try row.bits(1))
            (entry.account, entry.origin, entry.deed) = (try row.text(2), try row.text(3), try row.text(4))
            (entry.subject, entry.outcome) = (try row.text(5), try row.text(6))
            return entry
        }
    }

    func databaseBytes() throws -> UInt64 {
        try connection.first(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
            """
        ) { row in try row.bits(0) } ?? 0
    }
}

/// Connections that read, each on a thread of its own.
///
/// Each storage that takes over leaves its run. One that was asleep would read what its successor has written, and hand it
/// out under its own run, as positions that are in no history. So each read looks who the writer is, in the state of the
/// database that it reads.
struct PostgreSQLReaders: ReadableDatabase {
    let pool: ConnectionPool
    /// Of this storage.
    let run: UUIDv7

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadTables) throws -> Value
    ) async throws(EngineError) -> Value {
        do {
            return try await pool.read { [run] connection in
                let newest = "SELECT run_high, run_low FROM runs ORDER BY id DESC LIMIT 1"
                let writer = try connection.first(newest) { row in
                    UUIDv7(high: try row.bits(0), low: try row.bits(1))
                }
                guard writer == run else { throw EngineError.superseded }
                return try body(PostgreSQLReadTables(connection))
            }
        } catch {
            throw EngineError(error)
        }
    }
}
