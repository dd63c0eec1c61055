// SPDX-License-Identifier: Apache-2.0

/// One visit to some tracks, one after another in the order of their landmarks' keys.
package struct TrackSweep {
    /// The most rows that one sweep should delete. That takes some milliseconds, for which a write may have to wait.
    package static let mostPoints = 2_000
    private static let mostTracks = 64

    /// The track that was looked at last; nil: all have been looked at.
    package private(set) var after: UInt64?
    /// The points to delete: of a track those up to a revision.
    package private(set) var old: [(landmark: UInt64, through: UInt64)] = []
    package private(set) var points = 0

    /// Looks at some tracks for points that are not kept: written before a time, or of a landmark that was removed.
    ///
    /// Points go in the order of their revisions, up to the first one that is young. One whose time lies in the future, made
    /// while the clock was wrong, is as old as those around it.
    ///
    /// - Parameters:
    ///   - start: where the sweep before ended; nil: from the first track on.
    ///   - age: milliseconds; nil: points of any age are kept.
    ///   - limit: the most points.
    package init(_ tables: UpkeepTables, from start: UInt64?, age: UInt64?, now: UInt64, limit: Int) throws {
        after = start
        let cutoff = age.map { now - min(now, $0) } ?? 0
        let tracks = try tables.tracks(after: start ?? 0, limit: Self.mostTracks)
        for (landmark, exists) in tracks {
            let (through, count) = try Self.old(
                tables, landmark, before: exists ? cutoff : .max, now: now, limit: limit - points)
            if count > 0 { old.append((landmark, through)) }
            points += count
            // The next sweep goes on with a track of which more has to go.
            guard points < limit else { return }
            after = landmark
        }
        if tracks.count < Self.mostTracks { after = nil }
    }

    /// The last revision of a track's points that were written before a time, and how many they are, up to `limit`.
    private static func old(
        _ tables: UpkeepTables, _ landmark: UInt64, before cutoff: UInt64, now: UInt64, limit: Int
    ) throws -> (through: UInt64, count: Int) {
        guard cutoff > 0 else { return (0, 0) }
        var (seen, through, count) = (0, UInt64(0), 0)
        try tables.pointTimes(of: landmark, limit: limit) { rev, written in
            seen += 1
            if written < cutoff { (through, count) = (rev, seen) }
            return written < cutoff || written > now
        }
        return (through, count)
    }
}
