// SPDX-License-Identifier: Apache-2.0

/// The bounds of a query, as distances and as chords between packed points (squared, in units of 1/256 m).
struct SearchLimits {
    /// The queried place.
    let place: Coordinate

    /// The queried place in units of 1/256 m; the fourth lane is 0.
    let query: SIMD4<Double>

    /// The requested number of rows.
    let limit: Int

    private let minDistance: Double
    private let maxDistance: Double
    private let after: (distance: Double, key: PointKey)?

    /// The squared chord below which every point is nearer than the query allows.
    let floor: Double

    /// The squared chord above which every point is far enough. Between ``floor`` and this chord only the exact
    /// distance decides.
    let certainFloor: Double

    /// The squared chord below which every point is near enough. Between this chord and ``ceiling`` only the exact
    /// distance decides.
    let certainCeiling: Double

    /// The squared chord above which every point is farther than the query allows.
    let ceiling: Double

    /// Computes the bounds; nil if no point can be in the answer: `limit` is 0, or a bound is NaN or negative.
    init?(
        _ place: Coordinate, limit: Int, maxDistance: Double?, minDistance: Double?,
        after: (distance: Double, key: PointKey)?
    ) {
        let maximum = maxDistance ?? .infinity
        let minimum = minDistance ?? 0
        let cursor = after?.distance ?? 0
        guard limit > 0, maximum >= 0, !minimum.isNaN, !cursor.isNaN else { return nil }
        self.place = place
        self.limit = limit
        self.maxDistance = maximum
        self.minDistance = minimum
        self.after = after
        query = Cartesian.position(of: place) * Cartesian.unitsPerMetre

        let slack = Cartesian.slack
        let least = max(minimum, cursor, 0)
        if least > 0 || after != nil {
            floor = Self.squaredUnits(ChordBounds.shortestChord(beyond: least) - slack)
            certainFloor = Self.squaredUnits(ChordBounds.longestChord(within: least) + slack)
        } else {
            floor = 0
            certainFloor = -1
        }
        if maximum < .infinity {
            certainCeiling = Self.squaredUnits(ChordBounds.shortestChord(beyond: maximum) - slack)
            ceiling = Self.squaredUnits(ChordBounds.longestChord(within: maximum) + slack)
        } else {
            certainCeiling = .infinity
            ceiling = .infinity
        }
    }

    /// Whether the chord alone proves that the distance is allowed.
    @inline(__always)
    func isCertain(chordSquared: Double) -> Bool {
        chordSquared > certainFloor && chordSquared < certainCeiling
    }

    /// Whether the query allows a point at this exact distance.
    func allows(_ distance: Double, _ key: PointKey) -> Bool {
        guard distance >= minDistance, distance <= maxDistance else { return false }
        guard let after else { return true }
        return distance == after.distance ? after.key < key : after.distance < distance
    }

    /// Returns the square, in units of 1/256 m, of a chord in metres. A negative chord counts as 0.
    static func squaredUnits(_ metres: Double) -> Double {
        let units = max(metres, 0) * Cartesian.unitsPerMetre
        return units * units
    }
}
