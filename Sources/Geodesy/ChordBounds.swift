// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bounds of a geodesic by its chord, the straight line through the earth, and of the chord by the geodesic, with
/// proofs.
///
/// Let s be the length of a shortest path on the ellipsoid and c its chord, in metres; a and b the semi-axes.
///
/// 1. *c ≤ s*: nothing is shorter than the straight line.
/// 2. *s ≥ 2b·asin(c/2a)*. Scaling x and y by b/a takes the ellipsoid to the sphere of radius b and lengthens no curve
///    (no factor exceeds 1). On that sphere the image is at least as long as the great circle over its own chord, and a
///    chord shrinks at most by b/a: s ≥ 2b·asin((b/a)c/2b).
/// 3. *s ≤ 2a·asin(min(1, (a/b)c/2a))*. Scaling z by a/b takes the ellipsoid to the sphere of radius a; taking a great
///    circle back lengthens it nowhere, and the chord grew at most by a/b.
/// 4. *c ≥ (2/κ₁)·sin(κ₁s/2)* for κ₁s ≤ π, where κ₁ = a/b² is the greatest normal curvature of the surface. A geodesic
///    has no curvature within the surface, so none of its curvature in space exceeds κ₁; by Schur's comparison theorem
///    (S.-S. Chern, "Curves and surfaces in Euclidean space", 1967) its chord is no shorter than that of the circular
///    arc of the same length and of curvature κ₁.
/// 5. *c² ≤ s² - κ₂²s⁴/12 + κ₁²κ₂²s⁶/360* for κ₁s ≤ √2, where κ₂ = b/a² is the least normal curvature. With unit
///    tangent T and normal N along the geodesic, c² = ∬T(u)·T(v) du dv = ∬(1 - ½|T(u) - T(v)|²). T' = κN with κ ≥ κ₂,
///    and |N'| ≤ κ₁ (the shape operator's norm), so N(p)·N(q) ≥ 1 - κ₁²(p-q)²/2 ≥ 0 and, with h = |u - v|,
///    |T(u) - T(v)|² = ∬κ(p)κ(q)N(p)·N(q) dp dq ≥ κ₂²(h² - κ₁²h⁴/12). Over the square, ∬h² = s⁴/6 and ∬h⁴ = s⁶/15.
///
/// Bounds 4 and 5 leave an uncertainty of 1.3 mm at 40 km and 21 m at 1,000 km; bounds 2 and 3 leave 0.7 % everywhere.
/// Each pair is used where it is tighter. No bound allows for rounding: callers add ``Cartesian/slack``.
enum ChordBounds {
    private static let a = Ellipsoid.a
    private static let b = Ellipsoid.b
    private static let least = Ellipsoid.leastRadius
    private static let greatest = Ellipsoid.greatestRadius

    /// The distance in metres up to which the fifth bound holds (κ₁s = 1.26 < √2) and grows with s.
    private static let fifthReach = 8_000_000.0

    /// Returns the longest chord, in metres, that a geodesic of at most `distance` metres can have.
    static func longestChord(within distance: Double) -> Double {
        if distance <= fifthReach {
            let s2 = distance * distance
            return distance
                * (1 - s2 / (12 * greatest * greatest) * (1 - s2 / (30 * least * least))).squareRoot()
        }
        return min(distance, 2 * a * sin(min(distance / (2 * b), .pi / 2)))
    }

    /// Returns the shortest chord, in metres, that a geodesic of at least `distance` metres can have.
    static func shortestChord(beyond distance: Double) -> Double {
        // The fourth bound holds up to κ₁s = π. For a longer geodesic, the value of the third bound exceeds the
        // greatest value of the fourth.
        max(
            2 * b * sin(min(distance / (2 * a), .pi / 2)),
            2 * least * sin(min(distance / (2 * least), .pi / 2)))
    }

    /// Returns the longest chord, in metres, of any point that is at least as near as a point with the given chord.
    ///
    /// A point with a longer chord than the result is farther away than every point whose chord is at most `chord`.
    /// Both chords are between packed points, so the result allows for ``Cartesian/slack``.
    static func rivalChord(of chord: Double) -> Double {
        let slack = Cartesian.slack
        if chord < 1_000_000 {
            // Bounds 4 and 5 differ by c³(κ₁² - κ₂²)/24 = 2.07e-17·c³; the terms of c⁵ and above add less than 1 % of
            // that in this range. A polynomial is used because the search calls this for each better candidate.
            return chord + chord * chord * chord * 2.2e-17 + 2.01 * slack
        }
        return longestChord(within: longestGeodesic(over: chord + slack)) + slack
    }

    /// Returns the length in metres of the longest geodesic whose chord is at most `chord` metres.
    static func longestGeodesic(over chord: Double) -> Double {
        let byScaling = 2 * a * asin(min(1, chord / (2 * b)))
        let sine = chord / (2 * least)
        // A geodesic too long for the fourth bound (κ₁s > π) has a chord whose `sine` is above 1, by the third bound.
        // Close to 1 the rounding errors of the arc sine grow, but there the third bound is tighter.
        guard sine <= 0.9 else { return byScaling }
        return min(byScaling, 2 * least * asin(sine))
    }
}
