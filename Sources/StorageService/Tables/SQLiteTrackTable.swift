// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SQLite

/// The points of landmarks that move. Used inside the writer's transactions, but for ``page(_:_:since:after:limit:)``.
struct SQLiteTrackTable: TrackTable {
    /// One visit to some tracks, one after another in the order of their keys.
    struct Sweep {
        /// The track that was looked at last; nil: all have been looked at.
        var after: UInt64?
        /// The points to delete: of a track those up to a revision.
        var old: [(landmark: UInt64, through: UInt64)] = []
        var points = 0
    }

    /// The most rows that a page examines.
    private static let rowsInPage = 20_000
    /// The most rows that one sweep should delete. That takes some milliseconds, for which a write may have to wait.
    static let rowsInSweep = 2_000
    private static let tracksInSweep = 64

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

    /// The points after a revision, in the order of revisions, without those of a time before `since`.
    static func page(
        _ db: Database, _ landmark: Landmark.ID, since: UInt64, after rev: UInt64, limit: Int
    ) throws -> TrackPage {
        var page = TrackPage(points: [])
        // No revision is that great. As a signed integer it would come before all others.
        guard rev <= UInt64(Int64.max) else { return page }
        let statement = try db.cachedStatement(
            sql: "SELECT rev, at, lat, lng FROM track_points WHERE landmark = ? AND rev > ? ORDER BY rev LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [landmark.high.bits, rev.bits, rowsInPage + 1])
        var (seen, last) = (0, rev)
        while let row = try rows.next() {
            guard seen < rowsInPage, page.points.count < limit else {
                page.next = last
                break
            }
            seen += 1
            last = try row.bits(0)
            let at = try row.bits(1)
            guard at >= since else { continue }
            guard let place = try? Coordinate(latitude: row.double(2), longitude: row.double(3)) else {
                throw EngineError.corrupted("a point of a track is no position")
            }
            page.points.append(TrackPoint(rev: last, at: at, coordinate: place))
        }
        return page
    }

    /// Looks at some tracks for points that are not kept: written before a time, or of a landmark that was removed.
    ///
    /// Points go in the order of their revisions, up to the first one that is young. One whose time lies in the future, made
    /// while the clock was wrong, is as old as those around it.
    ///
    /// - Parameters:
    ///   - start: where the sweep before ended; nil: from the first track on.
    ///   - age: milliseconds; nil: points of any age are kept.
    ///   - limit: the most points.
    static func sweep(_ db: Database, from start: UInt64?, age: UInt64?, now: UInt64, limit: Int) throws -> Sweep {
        var sweep = Sweep(after: start)
        let next = try db.cachedStatement(
            sql: """
                SELECT landmark, EXISTS (SELECT 1 FROM landmarks WHERE key = landmark) FROM track_points
                WHERE landmark > ? ORDER BY landmark LIMIT 1
                """)
        let cutoff = age.map { now - min(now, $0) } ?? 0
        for _ in 0..<tracksInSweep {
            let found = try next.first((sweep.after ?? 0).bits) { row in (try row.bits(0), try row.bits(1) != 0) }
            guard let (landmark, isThere) = found else {
                sweep.after = nil
                break
            }
            let (through, count) = try old(
                db, landmark, before: isThere ? cutoff : .max, now: now, limit: limit - sweep.points)
            if count > 0 { sweep.old.append((landmark, through)) }
            sweep.points += count
            // The next sweep goes on with a track of which more has to go.
            guard sweep.points < limit else { break }
            sweep.after = landmark
        }
        return sweep
    }

    /// The last revision of a track's points that were written before a time, and how many they are, up to `limit`.
    private static func old(
        _ db: Database, _ landmark: UInt64, before cutoff: UInt64, now: UInt64, limit: Int
    ) throws -> (through: UInt64, count: Int) {
        guard cutoff > 0 else { return (0, 0) }
        let statement = try db.cachedStatement(
            sql: "SELECT rev, written FROM track_points WHERE landmark = ? ORDER BY rev LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [landmark.bits, limit])
        var (seen, through, count) = (0, UInt64(0), 0)
        while let row = try rows.next() {
            seen += 1
            let written = try row.bits(1)
            if written < cutoff {
                (through, count) = (try row.bits(0), seen)
            } else if written <= now {
                break
            }
        }
        return (through, count)
    }

    static func delete(_ db: Database, _ sweep: Sweep) throws {
        let deletion = try db.cachedStatement(sql: "DELETE FROM track_points WHERE landmark = ? AND rev <= ?")
        for track in sweep.old { try deletion.run(track.landmark.bits, track.through.bits) }
    }
}
