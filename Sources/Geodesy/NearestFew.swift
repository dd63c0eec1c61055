// SPDX-License-Identifier: Apache-2.0

/// The nearest of points that are offered one after the other, in exact order of distance, then of key.
///
/// For points that some list names, where ``SpatialIndex`` would have to turn down nearly all that it finds. The true
/// distance is computed only for points whose chord can still be among the nearest: of many in any order, for a few
/// times as many as are kept.
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
    /// The longest chord, squared, that is still of interest.
    private var ceiling: Double
    /// Points whose true distance was computed.
    private(set) var measured = 0

    /// The bounds are those of ``SpatialIndex/nearest(to:limit:maxDistance:minDistance:after:precision:)``.
    ///
    /// - Parameter limit: how many are kept.
    /// - Returns: nil when there can be no answer: no rows wanted, or a bound that is not a number or below zero.
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

    /// Takes a point, once.
    ///
    /// - Parameters:
    ///   - point: where it is, roughly.
    ///   - payload: what ``Neighbour/payload`` shall say.
    ///   - coordinate: where it is. Asked for only when the point may be one of the nearest; nil: it is not offered.
    public mutating func offer(
        _ key: PointKey, _ point: SurfacePoint, payload: UInt32, at coordinate: () -> Coordinate?
    ) {
        let chordSquared = point.packed.chordSquared(to: limits.query)
        guard chordSquared <= ceiling, chordSquared >= limits.floor, let coordinate = coordinate() else { return }
        let distance = Geodesic.distance(from: limits.place, to: coordinate)
        measured += 1
        guard limits.allows(distance, key) else { return }
        kept.append(Candidate(distance: distance, key: key, payload: payload, coordinate: coordinate))
        // Twice as many as wanted are gathered before they are sorted, so that sorting costs little for each.
        if kept.count >= 2 * limits.limit { prune() }
    }

    /// Forgets those that were kept so far and whose payload is one of these.
    ///
    /// - Returns: how many there were. As many fewer than were to be kept are sure to be the nearest of the others.
    public mutating func forget(_ payloads: Set<UInt32>) -> Int {
        let before = kept.count
        kept.removeAll { payloads.contains($0.payload) }
        return before - kept.count
    }

    /// The nearest of those that were offered.
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
        // No point with a longer chord can be as near as the farthest that is kept.
        let longest = ChordBounds.longestChord(within: kept[kept.count - 1].distance) + Cartesian.slack
        ceiling = min(ceiling, SearchLimits.squaredUnits(longest))
    }
}
