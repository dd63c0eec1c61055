// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// The points of the tracks of moving landmarks. Used only inside the writer's transactions.
struct SQLiteTrackTable: TrackTable, SQLTable {
    let db: any SQLSession
    private let selection: Statement
    private let insertion: Statement

    init(_ db: Database) throws {
        self.db = db
        selection = try Statement(
            db, sql: "SELECT at FROM track_points WHERE landmark = ? AND at <= ? ORDER BY at DESC LIMIT 1")
        insertion = try Statement(
            db,
            sql: """
                INSERT OR REPLACE INTO track_points (landmark, at, rev, lat, lng, written, accuracy, speed)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
    }

    func newest(of landmark: UInt64, upTo time: UInt64) throws -> UInt64? {
        selection.bind(1, landmark)
        selection.bind(2, time)
        return try selection.first { row in try row.bits(0) }
    }

    func store(_ point: TrackPoint, of landmark: UInt64, now: UInt64) throws {
        insertion.bind(1, landmark)
        insertion.bind(2, point.at)
        insertion.bind(3, point.rev)
        insertion.bind(4, point.coordinate.latitude)
        insertion.bind(5, point.coordinate.longitude)
        insertion.bind(6, now)
        for (place, value) in [(CInt(7), point.accuracy), (8, point.speed)] {
            if let value { insertion.bind(place, value) } else { insertion.bindNull(place) }
        }
        try insertion.run()
    }
}
