// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
import Landmarks
import WaymarkProtocol

/// Read operations of a database. All see the same state of the database, that is, the same revision. ``StorageReader``
/// adds pages, limits and filters.
package struct ReadTables {
    private let db: any SQLSession
    package var accounts: SQLAccountTable { SQLAccountTable(db: db) }
    var audit: SQLAuditTable { SQLAuditTable(db: db) }
    var fetches: SQLFetchTable { SQLFetchTable(db: db) }
    var fences: SQLFenceTable { SQLFenceTable(db: db) }
    var hooks: SQLHookTable { SQLHookTable(db: db) }
    var grants: SQLGrantTable { SQLGrantTable(db: db) }
    package var runs: RunTable { RunTable(db) }

    package init(_ db: any SQLSession) { self.db = db }

    package func epoch() throws -> UUIDv7 {
        let epoch = try db.value("SELECT epoch_high, epoch_low FROM history") { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
        guard let epoch else { throw EngineError.corrupted("it has no epoch") }
        return epoch
    }

    package func head() throws -> Head {
        let found = try db.value(db.dialect.head) { row in
            Head(rev: try Self.revision(row, from: 0), landmarks: try row.bits(1))
        }
        guard let head = found ?? db.dialect.emptyHead else { throw EngineError.corrupted("it has no history") }
        return head
    }

    /// Returns the newest revision, with the epoch and the run that began last.
    package func position() throws -> Position {
        Position(epoch: try epoch(), rev: try head().rev, run: try runs.last())
    }

    /// Returns the oldest revision that the log keeps; 1 if the log is empty.
    func floor() throws -> UInt64 {
        try db.value("SELECT rev FROM changes ORDER BY rev LIMIT 1") { row in try Self.revision(row, from: 1) } ?? 1
    }

    /// Reads the revision in a row's first column. No revision exceeds 2⁶², so that adding to it never overflows.
    private static func revision(_ row: any StoredRow, from least: UInt64) throws -> UInt64 {
        let rev = try row.bits(0)
        guard (least...UInt64(1) << 62).contains(rev) else {
            throw EngineError.corrupted("revision \(rev) is impossible")
        }
        return rev
    }

    /// Whether `run` can have seen `rev` in this history: the run is known, and the next run began after `rev`.
    func canHaveReached(_ rev: UInt64, _ run: UUIDv7) throws -> Bool {
        let (isKnown, next) = try runs.follower(of: run)
        return isKnown && next.map { $0 > rev } ?? true
    }

    // MARK: The log

    /// Calls `body` for up to `limit` encoded changes after a revision, in order, until `body` returns false.
    func changes(after rev: UInt64, limit: Int, _ body: (_ rev: UInt64, Data) throws -> Bool) throws {
        try db.inPieces(
            "SELECT rev, payload FROM changes WHERE rev > $1 ORDER BY rev LIMIT $2", after: rev, limit: limit
        ) { row in
            let rev = try row.bits(0)
            return (rev, try body(rev, try row.data(1)))
        }
    }

    /// Returns when a revision was made, in Unix milliseconds; nil if the change is no longer kept.
    func time(of rev: UInt64) throws -> UInt64? {
        try db.value("SELECT at FROM changes WHERE rev = $1", [.bits(rev)]) { row in try row.bits(0) }
    }

    /// Returns the revisions of one landmark from `rev` back, newest first.
    ///
    /// - Returns: the entries, and whether the landmark had an older revision that is no longer kept.
    func history(from rev: UInt64, limit: Int) throws -> (entries: [WireRawHistoryEntry], isCut: Bool) {
        var (entries, next) = ([WireRawHistoryEntry](), rev)
        // One statement follows the chain of revisions, because a landmark may have a hundred.
        try db.forEach(
            """
            WITH RECURSIVE chain AS (
                SELECT rev, previous, at, operation, version, "user", 1 AS place FROM changes WHERE rev = $1
                UNION ALL
                SELECT c.rev, c.previous, c.at, c.operation, c.version, c."user", chain.place + 1
                FROM chain JOIN changes c ON c.rev = chain.previous WHERE chain.place < $2
            )
            SELECT rev, previous, at, operation, version, "user" FROM chain ORDER BY place
            """, [.bits(rev), .int(limit)]
        ) { row in
            guard entries.count < limit else { return false }
            var entry = WireRawHistoryEntry()
            (entry.rev, entry.at) = (try row.bits(0), try row.bits(2))
            (entry.operation, entry.version) = (UInt32(clamping: try row.bits(3)), try row.bits(4))
            entry.user = try row.text(5)
            entries.append(entry)
            next = try row.bits(1)
            return true
        }
        return (entries, next > 0 && entries.count < limit)
    }

    // MARK: Landmarks

    /// Calls `body` for up to `limit` encoded landmarks with keys above `key`, in order, until `body` returns false.
    func landmarks(after key: UInt64, limit: Int, _ body: (Landmark.ID, Data) throws -> Bool) throws {
        try db.inPieces(
            "SELECT key, low, record FROM landmarks WHERE key > $1 ORDER BY key LIMIT $2", after: key, limit: limit
        ) { row in
            let id = Landmark.ID(high: try row.bits(0), low: try row.bits(1))
            return (id.high, try body(id, try row.data(2)))
        }
    }

    func record(_ id: Landmark.ID) throws -> Data? {
        try db.value(
            "SELECT record FROM landmarks WHERE key = $1 AND low = $2", [.bits(id.high), .bits(id.low)]
        ) { row in try row.data(0) }
    }

    /// Returns the encoded landmarks with these ids, in the same order. Ids without a landmark are left out.
    package func records(_ ids: [Landmark.ID]) throws -> [(id: Landmark.ID, record: Data)] {
        var found: [Landmark.ID: Data] = [:]
        try db.forEach("SELECT key, low, record FROM landmarks WHERE key", in: ids.map(\.high), atOnce: 32) { row in
            found[Landmark.ID(high: try row.bits(0), low: try row.bits(1))] = try row.data(2)
        }
        return ids.compactMap { id in found[id].map { (id, $0) } }
    }

    /// Calls `body` for up to `limit` points of a track after a time, in order, until `body` returns false.
    func points(
        of landmark: UInt64, after time: UInt64, limit: Int, _ body: (TrackPoint) throws -> Bool
    ) throws {
        try db.inPieces(
            """
            SELECT at, rev, lat, lng, accuracy, speed FROM track_points WHERE landmark = $1 AND at > $2
            ORDER BY at LIMIT $3
            """, [.bits(landmark)], after: time, limit: limit
        ) { row in
            guard let place = try? Coordinate(latitude: row.double(2), longitude: row.double(3)) else {
                throw EngineError.corrupted("a point of a track is no position")
            }
            let point = TrackPoint(
                rev: try row.bits(1), at: try row.bits(0), coordinate: place,
                accuracy: row.isNull(4) ? nil : try row.double(4), speed: row.isNull(5) ? nil : try row.double(5))
            return (point.at, try body(point))
        }
    }

    // MARK: Sources

    /// Returns the number of landmarks of each source.
    func sourceCounts() throws -> [(source: String, landmarks: UInt64)] {
        try db.values("SELECT source, count(landmark) FROM source_rows GROUP BY source") { row in
            (try row.text(0), try row.bits(1))
        }
    }

    /// Returns the keys of a source's rows after `key`, in the order of their bytes.
    func sourceKeys(_ source: String, after key: String, limit: Int) throws -> [String] {
        // PostgreSQL takes no NUL character, and no stored source or key has one. The keys after `key` are the same as
        // those after the characters of `key` before its first NUL.
        guard !source.utf8.contains(0) else { return [] }
        let start = String(key.prefix { $0 != "\0" })
        return try db.values(
            "SELECT key FROM source_rows WHERE source = $1 AND key > $2 ORDER BY key LIMIT $3",
            [.text(source), .text(start), .int(limit)]
        ) { row in try row.text(0) }
    }

    package func databaseBytes() throws -> UInt64 { try db.value(db.dialect.bytes) { row in try row.bits(0) } ?? 0 }
}
