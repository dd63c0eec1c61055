// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules

/// The points of the tracks of moving landmarks. Used only inside the writer's transactions.
struct SQLiteTrackTable: TrackTable, SQLTable {
    let db: any SQLSession

    func newest(of landmark: UInt64, upTo time: UInt64) throws -> UInt64? {
        try db.value(
            "SELECT at FROM track_points WHERE landmark = $1 AND at <= $2 ORDER BY at DESC LIMIT 1",
            [.bits(landmark), .bits(time)]
        ) { row in try row.bits(0) }
    }

    func store(_ point: TrackPoint, of landmark: UInt64, now: UInt64) throws {
        try db.write(
            """
            INSERT OR REPLACE INTO track_points (landmark, at, rev, lat, lng, written, accuracy, speed)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .bits(landmark), .bits(point.at), .bits(point.rev), .real(point.coordinate.latitude),
                .real(point.coordinate.longitude), .bits(now), .real(point.accuracy), .real(point.speed),
            ])
    }
}
