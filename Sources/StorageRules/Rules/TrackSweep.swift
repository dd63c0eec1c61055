// SPDX-License-Identifier: Apache-2.0

/// One step through the tracks, in the order of their landmarks' keys: it finds points to delete on some of them.
package struct TrackSweep {
    /// The most points that one sweep should delete. Deleting them takes some milliseconds, for which a write may have
    /// to wait.
    package static let mostPoints = 2_000
    private static let mostTracks = 64

    /// The last examined track; nil if all have been examined.
    package private(set) var after: UInt64?
    /// Points to delete: those of `landmark` up to the revision `through`.
    package private(set) var old: [(landmark: UInt64, through: UInt64)] = []
    package private(set) var points = 0

    /// Examines some tracks for points that are not kept: those written before a time, and those of removed landmarks.
    ///
    /// Points are dropped in the order of their revisions, up to the first young one. A point from the future was made
    /// while the clock was wrong, and counts as old as the points around it.
    ///
    /// - Parameters:
    ///   - start: where the previous sweep ended; nil starts with the first track.
    ///   - age: milliseconds; nil keeps points of any age.
    ///   - limit: the most points to find.
    package init(_ tables: UpkeepTables, from start: UInt64?, age: UInt64?, now: UInt64, limit: Int) throws {
        after = start
        let cutoff = age.map { now - min(now, $0) } ?? 0
        let tracks = try tables.tracks(after: start ?? 0, limit: Self.mostTracks)
        for (landmark, exists) in tracks {
            let (through, count) = try Self.old(
                tables, landmark, before: exists ? cutoff : .max, now: now, limit: limit - points)
            if count > 0 { old.append((landmark, through)) }
            points += count
            // The next sweep continues with this track, which has more points to delete.
            guard points < limit else { return }
            after = landmark
        }
        if tracks.count < Self.mostTracks { after = nil }
    }

    /// The last revision of a track's points that were written before a time, and the number of these points, up to
    /// `limit`.
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
