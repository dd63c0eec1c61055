// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// A table of which the engine implements only the frequent operations. All others are statements for both databases.
package protocol SQLTable {
    var db: any SQLSession { get }
}

extension LandmarkTable where Self: SQLTable {
    package func records(after key: UInt64, limit: Int) throws -> [[UInt8]] {
        try db.settle()
        return try db.values(
            "SELECT record FROM landmarks WHERE key > $1 ORDER BY key LIMIT $2", [.bits(key), .int(limit)]
        ) { row in try row.bytes(0) }
    }

    package func newestRemoved() throws -> UInt64 {
        let newest = try db.value(db.dialect.newestRemoved) { row in try row.bits(0) }
        guard let newest else { throw EngineError.corrupted("it does not know its newest id") }
        return newest
    }

    package func greatestID() throws -> UUIDv7? {
        try ["landmarks", "notes"].compactMap { table in
            try db.value("SELECT key, low FROM \(table) ORDER BY key DESC LIMIT 1") { row in
                UUIDv7(high: try row.bits(0), low: try row.bits(1))
            }
        }.max()
    }
}

extension ChangeTable where Self: SQLTable {
    package func head() throws -> Head { try ReadTables(db).head() }

    package func removal(of id: Landmark.ID) throws -> [UInt8]? {
        try db.settle()
        return try db.value(
            "SELECT payload FROM changes JOIN removals ON changes.rev = removals.rev WHERE key = $1", [.bits(id.high)]
        ) { row in try row.bytes(0) }
    }
}

extension SourceTable where Self: SQLTable {
    package func hasRows(of source: String) throws -> Bool {
        try db.settle()
        return try db.value("SELECT key FROM source_rows WHERE source = $1 LIMIT 1", [.text(source)]) { _ in true }
            ?? false
    }
}

extension TrackTable where Self: SQLTable {
    package func known(_ times: [UInt64], of landmark: UInt64) throws -> Set<UInt64> {
        try db.settle()
        var known: Set<UInt64> = []
        let sql = "SELECT at FROM track_points WHERE landmark = $1 AND at"
        try db.forEach(sql, [.bits(landmark)], in: times, atOnce: 100) { row in known.insert(try row.bits(0)) }
        return known
    }

    package func count(of landmark: UInt64) throws -> Int {
        try db.settle()
        return try db.count("SELECT count(*) FROM track_points WHERE landmark = $1", [.bits(landmark)])
    }

    package func delete(of landmark: UInt64, before time: UInt64, limit: Int) throws -> Int {
        try db.settle()
        let old = try db.values(
            "SELECT at FROM track_points WHERE landmark = $1 AND at < $2 ORDER BY at LIMIT $3",
            [.bits(landmark), .bits(min(time, .max >> 1)), .int(limit)]
        ) { row in try row.bits(0) }
        if let last = old.last {
            try db.write(
                "DELETE FROM track_points WHERE landmark = $1 AND at <= $2", [.bits(landmark), .bits(last)])
        }
        return old.count
    }

    package func tracks(after key: UInt64, limit: Int) throws -> [(landmark: UInt64, record: [UInt8]?)] {
        try db.settle()
        return try db.values(
            """
            \(UpkeepTables.someTracks)
            SELECT track.landmark, record FROM track LEFT JOIN landmarks ON landmarks.key = track.landmark
            WHERE track.landmark IS NOT NULL ORDER BY track.landmark
            """, [.bits(key), .int(limit)]
        ) { row in (try row.bits(0), row.isNull(1) ? nil : try row.bytes(1)) }
    }
}

extension AnswerTable where Self: SQLTable {
    package func forEach(_ body: (UInt64, AnswerBook.Key) throws -> Void) throws {
        try db.forEach("SELECT id, client_high, client_low, sequence FROM answers ORDER BY id", []) { row in
            let client = UUIDv7(high: try row.bits(1), low: try row.bits(2))
            try body(try row.bits(0), AnswerBook.Key(client: client, sequence: try row.bits(3)))
            return true
        }
    }

    package func ends() throws -> (oldest: UInt64, newest: UInt64) {
        let ends = "SELECT coalesce((SELECT min(id) FROM answers), 0), coalesce((SELECT max(id) FROM answers), 0)"
        return try db.value(ends) { row in (try row.bits(0), try row.bits(1)) } ?? (0, 0)
    }
}

extension MarkTable where Self: SQLTable {
    package func forEach(_ body: (UInt64, UUIDv7, UInt64) throws -> Void) throws {
        try db.forEach("SELECT id, client_high, client_low, sequence FROM forgotten ORDER BY id", []) { row in
            try body(try row.bits(0), UUIDv7(high: try row.bits(1), low: try row.bits(2)), try row.bits(3))
            return true
        }
    }

    package func newest() throws -> UInt64 {
        try db.value("SELECT coalesce(max(id), 0) FROM forgotten") { row in try row.bits(0) } ?? 0
    }
}
