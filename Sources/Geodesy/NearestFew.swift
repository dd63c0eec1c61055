// SPDX-License-Identifier: Apache-2.0

/// Collects the nearest of the points that are offered one by one, in exact order of distance, then of key.
///
/// It serves for points from a list, where a ``SpatialIndex`` would have to reject nearly everything it finds. The
/// exact distance is computed only if the point's chord can still belong to the answer. For many points in any order,
/// this happens a few times as often as there are rows.
public struct NearestFew: Sendable {
    private struct Candidate: Sendable {
        var distance: Double
        var key: PointKey
        var payload: UInt32
        var coordinate: Coordinate

        static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
            left.distance == right.distance ? left.key < right.key : left.distance < right.distance
        }
    }

    private let limits: SearchLimits
    private var kept: [Candidate] = []
    /// The square of the longest chord that can still belong to the answer.
    private var ceiling: Double

    /// Takes the bounds of ``SpatialIndex/nearest(to:limit:maxDistance:minDistance:after:precision:)``.
    ///
    /// - Parameter limit: the number of rows to keep.
    /// - Returns: nil if no point can be in the answer: `limit` is 0, or a bound is NaN or negative.
    public init?(
        to place: Coordinate, limit: Int, maxDistance: Double? = nil, minDistance: Double? = nil,
        after: (distance: Double, key: PointKey)? = nil
    ) {
        guard
            let limits = SearchLimits(
                place, limit: min(limit, Int(Int32.max)), maxDistance: maxDistance, minDistance: minDistance,
                after: after)
        else { return nil }
        self.limits = limits
        ceiling = limits.ceiling
    }

    /// Considers a point. The same point may be offered only once.
    ///
    /// - Parameters:
    ///   - point: the approximate place of the point.
    ///   - payload: the value of ``Neighbour/payload``.
    ///   - coordinate: returns the exact coordinate; nil rejects the point. Called only if the point may be one of the
    ///     nearest.
    public mutating func offer(
        _ key: PointKey, _ point: SurfacePoint, payload: UInt32, at coordinate: () -> Coordinate?
    ) {
        let chordSquared = point.packed.chordSquared(to: limits.query)
        guard chordSquared <= ceiling, chordSquared >= limits.floor, let coordinate = coordinate() else { return }
        let distance = Geodesic.distance(from: limits.place, to: coordinate)
        guard limits.allows(distance, key) else { return }
        kept.append(Candidate(distance: distance, key: key, payload: payload, coordinate: coordinate))
        // Rows are sorted only when there are twice as many as needed, so that sorting costs little for each point.
        if kept.count >= 2 * limits.limit { prune() }
    }

    /// Removes the kept rows whose payload is in the set.
    ///
    /// - Returns: the number of removed rows. If it is n, only the first `limit` - n of the other rows are certainly
    ///   the nearest of the points that are left.
    public mutating func forget(_ payloads: Set<UInt32>) -> Int {
        let before = kept.count
        kept.removeAll { payloads.contains($0.payload) }
        return before - kept.count
    }

    /// The rows of the answer: the nearest of the offered points.
    public var rows: [Neighbour] {
        kept.sorted(by: Candidate.isBefore).prefix(limits.limit).map { candidate in
            let (distance, bearing) = Geodesic.inverse(from: limits.place, to: candidate.coordinate)
            return Neighbour(
                key: candidate.key, payload: candidate.payload, coordinate: candidate.coordinate, distance: distance,
                bearing: bearing)
        }
    }

    private mutating func prune() {
        kept.sort(by: Candidate.isBefore)
        kept.removeLast(kept.count - limits.limit)
        // A point with a longer chord than this is farther away than the last of the kept rows.
        let longest = ChordBounds.longestChord(within: kept[kept.count - 1].distance) + Cartesian.slack
        ceiling = min(ceiling, SearchLimits.squaredUnits(longest))
    }
}
