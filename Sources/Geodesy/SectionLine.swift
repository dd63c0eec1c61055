// SPDX-License-Identifier: Apache-2.0

/// A closed form for geodesics of up to 300 km: the length of the arc in which a plane through both ends cuts the
/// surface.
///
/// Let p, q be the points, m their middle, v = q - p with |v| = c, and A = diag(1/a², 1/a², 1/b²), so that xᵀAx = 1 on
/// the surface. mᵀAv = 0, so v is tangent to the ellipsoid at p₀ = m/√(mᵀAm), whose normal is Am. The section is by the
/// plane through p and q that holds this normal: the arc is symmetric about p₀ but for a part in a thousand.
///
/// *Its length.* Scaling z by a/b takes the ellipsoid to the sphere of radius a and the section to a circle there, of
/// radius r, with e₁ (towards the middle of the arc) and e₂ (along the chord u) as its axes, and ±h, sin h = |u|/2r, as
/// the ends. The tangent -e₁·sin t + e₂·cos t loses e² of the square of its z on the way back, so the length is
/// r∫√(1 - e²(e₂z·cos t - e₁z·sin t)²)dt from -h to h. Three nodes of Gauss and Legendre's rule leave an error of
/// r·h⁷/15750 times the sixth derivative, which is below 2⁶e²: 7e-10 m at 300 km.
///
/// *Error.* Let n be the plane's unit normal and N = Ax/|Ax| the surface's. The section's curvature κ' is all in the
/// plane, so its geodesic curvature is κ'(n·N). n·Ax is linear in x and 0 at p₀ (there Ax lies in the plane), and as A
/// is a multiple of the identity but for (1/b² - 1/a²) in z, |n·A(x - p₀)| ≤ (ε/2a²)|x - p₀| with ε = a²/b² - 1. With
/// |Ax| ≥ 1/a, |x - p₀| ≤ 0.52c and κ' ≤ 1.01κ₁ (Meusnier), the geodesic curvature nowhere exceeds k = 0.27εκ₁c/a. The
/// surface's curvature is positive and bounded, and a disc of 300 km is convex, so the section's ends are at least as
/// far apart as those of an arc of the same length L and curvature k on the sphere of that greatest curvature (S.
/// Alexander, R. Bishop, "Comparison theorems for curves of bounded geodesic curvature in metric spaces of curvature
/// bounded above", Differential Geometry and its Applications 6, 1996): L exceeds the geodesic by 1.01·k²L³/24 at most,
/// 0.21 µm at 300 km. ``Cartesian/packedError``, the rounding of the start and GeographicLib's own error add 0.2 µm.
enum SectionLine {
    /// The longest chord, in metres, for which the estimate is accurate.
    static let reach = 300_000.0

    /// The greatest difference, in metres, from GeographicLib's distance.
    static let error = 1e-6

    private static let ratio = Ellipsoid.a / Ellipsoid.b
    /// Maps a position to the sphere.
    private static let stretch = SIMD4(1, 1, ratio, 0)
    /// Maps a position to its normal, multiplied by a², in the sphere's coordinates.
    private static let normalStretch = SIMD4(1, 1, ratio * ratio * ratio, 0)
    /// √(3/5): the outer nodes of the rule when the half interval is 1. Their weights are 5/9; the middle node's is
    /// 8/9.
    private static let node = 0.774_596_669_241_483_4

    /// Returns the estimate, in metres, between two positions whose chord is greater than 0 and at most ``reach``.
    static func distance(from start: SIMD4<Double>, to end: SIMD4<Double>) -> Double {
        // The sum is twice the middle. The factor of 2 in it and in its normal cancels out or is divided away below.
        let sum = start + end
        let chord = (end - start) * stretch
        let middle = sum * stretch
        let normal = sum * normalStretch

        let chordSquared = (chord * chord).sum()
        let lean = (normal * chord).sum() / chordSquared
        // The part of the normal perpendicular to the chord. The chord is perpendicular to the middle.
        let upSquared = (normal * normal).sum() - lean * lean * chordSquared
        let height = (middle * normal).sum()
        let radius = ((chordSquared + height * height / upSquared) / 4).squareRoot()
        let upZ = (normal.z - lean * chord.z) / upSquared.squareRoot()
        let chordLength = chordSquared.squareRoot()
        let alongZ = chord.z / chordLength

        let halfAngle = arcSine(chordLength / (2 * radius))
        let (sine, cosine) = sineAndCosine(halfAngle * node)
        let before = speed(alongZ * cosine + upZ * sine)
        let after = speed(alongZ * cosine - upZ * sine)
        return radius * halfAngle * (5 * (before + after) + 8 * speed(alongZ)) / 9
    }

    /// Returns √(1 - e²z²) by the binomial series. The first omitted term is below 2e-15.
    @inline(__always)
    private static func speed(_ z: Double) -> Double {
        let k = Ellipsoid.e2 * z * z
        return 1 - k * (1 / 2 + k * (1 / 8 + k * (1 / 16 + k * (5 / 128 + k * (7 / 256)))))
    }

    /// Returns the arc sine by its series. At 300 km, where x is 0.024, the first omitted term is below 1e-16.
    @inline(__always)
    private static func arcSine(_ x: Double) -> Double {
        let x2 = x * x
        return x * (1 + x2 * (1 / 6 + x2 * (3 / 40 + x2 * (15 / 336 + x2 * (105 / 3_456)))))
    }

    /// Returns sine and cosine by their series, as accurately as ``arcSine(_:)``.
    @inline(__always)
    private static func sineAndCosine(_ x: Double) -> (sine: Double, cosine: Double) {
        let x2 = x * x
        return (
            x * (1 - x2 * (1 / 6 - x2 * (1 / 120 - x2 * (1 / 5_040)))),
            1 - x2 * (1 / 2 - x2 * (1 / 24 - x2 * (1 / 720)))
        )
    }
}
