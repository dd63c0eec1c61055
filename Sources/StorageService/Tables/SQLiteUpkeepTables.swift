// SPDX-License-Identifier: Apache-2.0

import SQLite

/// What upkeep needs, on the one connection of SQLite that writes.
struct SQLiteUpkeepTables: UpkeepTables {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func head() throws -> Head { try SQLiteChangeTable.head(db) }
    func floor() throws -> UInt64 { try SQLiteChangeTable.floor(db) }

    func times(from first: UInt64, below end: UInt64, _ body: (UInt64, UInt64) throws -> Bool) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT rev, at FROM changes WHERE rev >= ? AND rev < ? ORDER BY rev")
        let rows = try Row.fetchCursor(statement, arguments: [first.bits, end.bits])
        while let row = try rows.next() {
            guard try body(try row.bits(0), try row.bits(1)) else { return }
        }
    }

    func deleteChanges(_ revs: Range<UInt64>) throws {
        let deletion = try db.cachedStatement(sql: "DELETE FROM changes WHERE rev >= ? AND rev < ?")
        try inTransaction { try deletion.run(revs.lowerBound.bits, revs.upperBound.bits) }
    }

    func tracks(after key: UInt64, limit: Int) throws -> [(landmark: UInt64, exists: Bool)] {
        // One after the other: a track may have many points.
        let next = try db.cachedStatement(
            sql: """
                SELECT landmark, EXISTS (SELECT 1 FROM landmarks WHERE key = landmark) FROM track_points
                WHERE landmark > ? ORDER BY landmark LIMIT 1
                """)
        var tracks: [(landmark: UInt64, exists: Bool)] = []
        while tracks.count < limit,
            let track = try next.first(
                (tracks.last?.landmark ?? key).bits, read: { (try $0.bits(0), try $0.bits(1) != 0) })
        {
            tracks.append(track)
        }
        return tracks
    }

    func pointTimes(of landmark: UInt64, limit: Int, _ body: (UInt64, UInt64) throws -> Bool) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT rev, written FROM track_points WHERE landmark = ? ORDER BY rev LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [landmark.bits, limit])
        while let row = try rows.next() {
            guard try body(try row.bits(0), try row.bits(1)) else { return }
        }
    }

    func deletePoints(_ old: [(landmark: UInt64, through: UInt64)]) throws {
        let deletion = try db.cachedStatement(sql: "DELETE FROM track_points WHERE landmark = ? AND rev <= ?")
        try inTransaction { for track in old { try deletion.run(track.landmark.bits, track.through.bits) } }
    }

    private func inTransaction(_ body: () throws -> Void) throws {
        try db.inTransaction {
            try body()
            return .commit
        }
    }
}
