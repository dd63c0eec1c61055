// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// The points of the tracks of moving landmarks. Used only inside the writer's transactions.
struct SQLiteTrackTable: TrackTable {
    private let insertion: Statement

    init(_ db: Database) throws {
        insertion = try Statement(
            db, sql: "INSERT INTO track_points (landmark, rev, at, written, lat, lng) VALUES (?, ?, ?, ?, ?, ?)")
    }

    /// - Parameter now: the time of the revision in Unix milliseconds.
    func append(_ point: TrackPoint, of landmark: Landmark.ID, now: UInt64) throws {
        insertion.bind(1, landmark.high)
        insertion.bind(2, point.rev)
        insertion.bind(3, point.at)
        insertion.bind(4, now)
        insertion.bind(5, point.coordinate.latitude)
        insertion.bind(6, point.coordinate.longitude)
        try insertion.run()
    }
}
