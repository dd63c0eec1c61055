// SPDX-License-Identifier: Apache-2.0

/// One step through the tracks, in the order of their landmarks' keys. It finds points to delete on some of the tracks.
package struct TrackSweep {
    /// The maximum number of points to delete in one sweep. Meanwhile a write may have to wait some milliseconds.
    package static let mostPoints = 2_000
    private static let mostTracks = 64

    /// The key of the last examined track; nil if all tracks have been examined.
    package private(set) var after: UInt64?
    /// The points to delete, by their times.
    package private(set) var old: [(landmark: UInt64, at: UInt64)] = []

    /// Examines some tracks for points to delete: points that are too old by the time at which they came, and points
    /// of landmarks that are removed for good.
    ///
    /// - Parameters:
    ///   - start: the key of the track at which the previous sweep ended; nil starts with the first track.
    ///   - age: the maximum age in milliseconds; nil keeps points of any age.
    ///   - limit: the maximum number of points to find.
    package init(_ tables: UpkeepTables, from start: UInt64?, age: UInt64?, now: UInt64, limit: Int) throws {
        after = start
        let cutoff = age.map { now - min(now, $0) } ?? 0
        let tracks = try tables.tracks(after: start ?? 0, limit: Self.mostTracks)
        for (landmark, exists) in tracks {
            let end = exists ? cutoff : .max
            let some = end == 0 ? [] : try tables.points(of: landmark, before: end, limit: limit - old.count)
            old += some.map { (landmark, $0) }
            // The next sweep continues with this track, because the track has more points to delete.
            guard old.count < limit else { return }
            after = landmark
        }
        if tracks.count < Self.mostTracks { after = nil }
    }
}
