// SPDX-License-Identifier: Apache-2.0

/// Computes in closed form the direction in which a geodesic of up to 300 km leaves a place of the ellipsoid.
///
/// The chord's direction, seen from above at the start, is that of the normal section there. Its geodesic curvature
/// is, u metres from the start and with the names of ``SectionLine``, κ(n·Ax)/|Ax| = (εκ/a²|Ax|)n_z(T_z·u - N_z·κu²/2)
/// but for (κu)²/6 of it; T is its direction and N the upward normal at the start. A geodesic between its ends leaves
/// at the angle that is the mean of (L - u)/L times this curvature: (εκ/a²|Ax|)n_z(T_z·L²/6 - N_z·κL³/24), as in R. H.
/// Rapp, "Geometric Geodesy", Ohio State University, 1991. Here n_z = cos φ sin α, T_z = cos φ cos α, N_z = sin φ,
/// 1/|Ax| = aW with W² = 1 - e²sin²φ and, by Euler's theorem, aκ = W(1 + e'²cos²φ cos²α). At 300 km it is 7e-5 degrees,
/// and what is left out, with κ's changes on the way, below 1e-7. The rest of the error is the rounding of a position,
/// 3.1e-7 degrees at ``bearingReach``.
struct Compass {
    /// The shortest chord, in metres, for which the bearing is accurate. The longest is ``SectionLine/reach``.
    static let bearingReach = 10.0

    /// The greatest difference, in degrees, from GeographicLib's bearing.
    static let bearingError = 1e-6

    /// Unit vectors east and north at the place, along the earth-centred axes. The z of `north` is `cosLatitude`.
    private let eastX, eastY: Double
    private let northX, northY: Double
    private let sinLatitude, cosLatitude: Double
    /// W².
    private let w2: Double

    /// Makes the compass of a place. At a pole the longitude decides which direction is north, as in GeographicLib.
    init(at place: Coordinate) {
        (sinLatitude, cosLatitude) = Cartesian.sineAndCosine(degrees: place.latitude)
        let (sinLongitude, cosLongitude) = Cartesian.sineAndCosine(degrees: place.longitude)
        (eastX, eastY) = (-sinLongitude, cosLongitude)
        (northX, northY) = (-sinLatitude * cosLongitude, -sinLatitude * sinLongitude)
        w2 = 1 - Ellipsoid.e2 * sinLatitude * sinLatitude
    }

    /// Returns the bearing of the geodesic that starts at the place and has this chord (in metres), in degrees
    /// clockwise from north, in [0, 360).
    @inline(__always)
    func bearing(of line: SIMD4<Double>) -> Double {
        // Written out, because a product of SIMD4 vectors would also multiply the fourth lane, which is always 0.
        var east = line.x * eastX + line.y * eastY
        var north = line.x * northX + line.y * northY + line.z * cosLatitude
        let lengthSquared = east * east + north * north
        if lengthSquared > Self.straightSquared {
            let ownCurvature = 1 + Self.e2Prime * cosLatitude * cosLatitude * north * north / lengthSquared
            // The products use east and north themselves, not their shares of the length. So the result includes the
            // length's square.
            let lean =
                w2 * ownCurvature * (Self.e2Prime / (Ellipsoid.a * Ellipsoid.a)) * cosLatitude * east
                * (cosLatitude * north / 6 - sinLatitude * lengthSquared / (24 * Ellipsoid.a))
            (east, north) = (east - lean * north, north + lean * east)
        }
        let degrees = ArcTangent.degrees(east, north)
        return degrees < 360 ? degrees : 0
    }

    /// The square of the length, in metres, up to which the correction below stays under 8e-8 degrees and is left out.
    private static let straightSquared = 1e8

    /// The square of the second eccentricity.
    private static let e2Prime = Ellipsoid.e2 / (1 - Ellipsoid.e2)
}
