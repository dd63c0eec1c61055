// SPDX-License-Identifier: Apache-2.0

/// The shape of WGS84 (NIMA TR8350.2), in metres.
enum Ellipsoid {
    /// The semi-major axis, which is the radius of the equator.
    static let a = 6_378_137.0

    /// The flattening.
    static let flattening = 1 / 298.257_223_563

    /// The semi-minor axis, from the centre to a pole.
    static let b = a * (1 - flattening)

    /// The square of the first eccentricity.
    static let e2 = flattening * (2 - flattening)

    /// The smallest radius of curvature of the surface, which is that of a meridian at the equator.
    static let leastRadius = b * b / a

    /// The greatest radius of curvature of the surface, which is at the poles.
    static let greatestRadius = a * a / b
}
