// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Geodesy
import Landmarks
import SQLite
import WaymarkProtocol
import ZeroMQ

/// What reads need, inside a transaction of SQLite.
struct SQLiteReadTables: ReadTables {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func epoch() throws -> UUIDv7 { try SQLiteChangeTable.epoch(db) }
    func head() throws -> Head { try SQLiteChangeTable.head(db) }
    func floor() throws -> UInt64 { try SQLiteChangeTable.floor(db) }
    func follower(of run: UUIDv7) throws -> (isKnown: Bool, first: UInt64?) { try RunTable.follower(of: run, db) }

    // MARK: The log

    func changes(after rev: UInt64, limit: Int, _ body: (UInt64, Data) throws -> Bool) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT rev, payload FROM changes WHERE rev > ? ORDER BY rev LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [rev.bits, limit])
        while let row = try rows.next() {
            guard try body(try row.bits(0), try row.data(1)) else { return }
        }
    }

    func time(of rev: UInt64) throws -> UInt64? {
        try db.cachedStatement(sql: "SELECT at FROM changes WHERE rev = ?").first(rev.bits) { row in try row.bits(0) }
    }

    func history(from rev: UInt64, limit: Int) throws -> (entries: [WireReadyHistoryEntry], isCut: Bool) {
        var (entries, rev) = ([WireReadyHistoryEntry](), rev)
        let statement = try db.cachedStatement(
            sql: "SELECT previous, at, operation, version, user FROM changes WHERE rev = ?")
        while rev > 0, entries.count < limit {
            let previous = try statement.first(rev.bits) { row in
                var entry = WireReadyHistoryEntry()
                entry.rev = rev
                entry.at = try row.bits(1)
                entry.operation = UInt32(clamping: try row.bits(2))
                entry.version = try row.bits(3)
                entry.user = try row.text(4)
                entries.append(entry)
                return try row.bits(0)
            }
            guard let previous else { return (entries, true) }
            rev = previous
        }
        return (entries, false)
    }

    // MARK: Landmarks

    func landmarks(after key: UInt64, limit: Int, _ body: (Landmark.ID, Data) throws -> Bool) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT key, low, record FROM landmarks WHERE key > ? ORDER BY key LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [key.bits, limit])
        while let row = try rows.next() {
            let id = Landmark.ID(high: try row.bits(0), low: try row.bits(1))
            guard try body(id, try row.data(2)) else { return }
        }
    }

    func records(_ ids: [Landmark.ID]) throws -> [(id: Landmark.ID, record: Data)] {
        let statement = try db.cachedStatement(sql: "SELECT record FROM landmarks WHERE key = ? AND low = ?")
        return try ids.compactMap { id in
            try statement.first(id.high.bits, id.low.bits) { row in (id, try row.data(0)) }
        }
    }

    func points(of landmark: UInt64, after rev: UInt64, limit: Int, _ body: (TrackPoint) throws -> Bool) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT rev, at, lat, lng FROM track_points WHERE landmark = ? AND rev > ? ORDER BY rev LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [landmark.bits, rev.bits, limit])
        while let row = try rows.next() {
            guard let place = try? Coordinate(latitude: row.double(2), longitude: row.double(3)) else {
                throw EngineError.corrupted("a point of a track is no position")
            }
            guard try body(TrackPoint(rev: try row.bits(0), at: try row.bits(1), coordinate: place)) else { return }
        }
    }

    // MARK: Sources

    func fetchStates() throws -> [FetchState] { try SQLiteFetchTable.all(db) }

    func sourceCounts() throws -> [(source: String, landmarks: UInt64)] {
        var counts: [(String, UInt64)] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT source, count(landmark) FROM source_rows GROUP BY source")
        while let row = try rows.next() { counts.append((try row.text(0), try row.bits(1))) }
        return counts
    }

    func sourceKeys(_ source: String, after key: String, limit: Int) throws -> [String] {
        let statement = try db.cachedStatement(
            sql: "SELECT key FROM source_rows WHERE source = ? AND key > ? ORDER BY key LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [source, key, limit])
        var keys: [String] = []
        while let row = try rows.next() { keys.append(try row.text(0)) }
        return keys
    }

    // MARK: Accounts

    func account(named name: String) throws -> StoredAccount? { try SQLiteAccountTable.find(db, named: name) }
    func account(_ number: UInt64) throws -> StoredAccount? { try SQLiteAccountTable.find(db, number) }
    func accounts(after number: UInt64, limit: Int) throws -> [StoredAccount] {
        try SQLiteAccountTable.all(db, after: number, limit: limit)
    }
    func usableKeys(of account: UInt64, now: UInt64) throws -> Int {
        try SQLiteAccountTable.usableKeys(db, of: account, now: now)
    }
    func invitationExpires(of account: UInt64) throws -> UInt64? {
        try SQLiteInvitationTable.expires(db, of: account)
    }
    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) throws -> Bool {
        try SQLiteInvitationTable.isValid(db, digest, for: account, now: now)
    }
    func keys(of account: UInt64, limit: Int) throws -> [WireKeyInfo] {
        try SQLiteAccountTable.keys(db, of: account, limit: limit)
    }
    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? { try SQLiteAccountTable.key(db, key) }
    func accountNews(since revision: UInt64, limit: Int) throws -> AccountNews {
        try SQLiteAccountTable.news(db, since: revision, limit: limit)
    }
    func audit(before id: UInt64, limit: Int) throws -> [WireAuditEntry] {
        try SQLiteAuditTable.entries(db, before: id, limit: limit)
    }

    func databaseBytes() throws -> UInt64 {
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        return UInt64(clamping: pages * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0))
    }
}

extension OpenDatabase: ReadableDatabase {
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any ReadTables) throws -> Value
    ) async throws(EngineError) -> Value {
        try await read { (db: Database) in try body(SQLiteReadTables(db)) }
    }
}
