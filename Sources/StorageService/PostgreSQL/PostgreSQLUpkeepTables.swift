// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// What upkeep needs, on the writer's connection.
struct PostgreSQLUpkeepTables: UpkeepTables {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func head() throws -> Head { try PostgreSQLReadTables(connection).head() }
    func floor() throws -> UInt64 { try PostgreSQLReadTables(connection).floor() }

    func times(from first: UInt64, below end: UInt64, _ body: (UInt64, UInt64) throws -> Bool) throws {
        // By age mostly the first one decides.
        var (next, count) = (first, Int64(1))
        while next < end {
            let rows = try connection.rows(
                "SELECT rev, at FROM changes WHERE rev >= $1 AND rev < $2 ORDER BY rev LIMIT $3",
                [.bits(next), .bits(end), .int8(count)])
            for row in rows {
                next = try row.bits(0) + 1
                guard try body(next - 1, try row.bits(1)) else { return }
            }
            guard rows.count == Int(count) else { return }
            count = 2_000
        }
    }

    func deleteChanges(_ revs: Range<UInt64>) throws {
        try connection.rows(
            "DELETE FROM changes WHERE rev >= $1 AND rev < $2", [.bits(revs.lowerBound), .bits(revs.upperBound)])
    }

    func tracks(after key: UInt64, limit: Int) throws -> [(landmark: UInt64, exists: Bool)] {
        // Steps from track to track in the index, instead of reading all points.
        try connection.rows(
            """
            WITH RECURSIVE track AS (
                (SELECT landmark, 1 AS place FROM track_points WHERE landmark > $1 ORDER BY landmark LIMIT 1)
                UNION ALL
                SELECT next.landmark, track.place + 1 FROM track CROSS JOIN LATERAL (
                    SELECT landmark FROM track_points WHERE landmark > track.landmark ORDER BY landmark LIMIT 1
                ) next WHERE track.place < $2
            )
            SELECT landmark, EXISTS (SELECT 1 FROM landmarks WHERE key = landmark) FROM track ORDER BY landmark
            """, [.bits(key), .int8(Int64(limit))]
        ).map { row in (try row.bits(0), try row.bool(1)) }
    }

    func pointTimes(of landmark: UInt64, limit: Int, _ body: (UInt64, UInt64) throws -> Bool) throws {
        let rows = try connection.rows(
            "SELECT rev, written FROM track_points WHERE landmark = $1 ORDER BY rev LIMIT $2",
            [.bits(landmark), .int8(Int64(limit))])
        for row in rows {
            guard try body(try row.bits(0), try row.bits(1)) else { return }
        }
    }

    func deletePoints(_ old: [(landmark: UInt64, through: UInt64)]) throws {
        try connection.rows(
            """
            DELETE FROM track_points USING unnest($1, $2) AS old (landmark, through)
            WHERE track_points.landmark = old.landmark AND track_points.rev <= old.through
            """, [.column(old.map(\.landmark)), .column(old.map(\.through))])
    }
}
