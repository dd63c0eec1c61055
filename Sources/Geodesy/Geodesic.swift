// SPDX-License-Identifier: Apache-2.0

import CGeographicLib

/// Shortest paths on the WGS84 ellipsoid, by GeographicLib.
///
/// The method is C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013) 43–55,
/// doi:10.1007/s00190-012-0578-z. It converges for every pair of points, also for nearly antipodal ones, and its
/// error is about 15 nanometres.
public enum Geodesic {
    /// Returns the length of the shortest path between two points, in metres.
    public static func distance(from start: Coordinate, to end: Coordinate) -> Double {
        waymark_geodesic_distance(start.latitude, start.longitude, end.latitude, end.longitude)
    }

    /// Returns the length of the shortest path in metres, and its direction at the start in degrees clockwise from
    /// north, in [0, 360).
    ///
    /// The distance equals the result of ``distance(from:to:)`` to the last bit. If both points are equal, the azimuth
    /// has no meaning: GeographicLib returns 180 or 0.
    public static func inverse(
        from start: Coordinate, to end: Coordinate
    ) -> (distance: Double, azimuth: Double) {
        var azimuth = 0.0
        let distance = waymark_geodesic_inverse(
            start.latitude, start.longitude, end.latitude, end.longitude, &azimuth)
        return (distance, turn(azimuth))
    }

    /// Returns the point at `distance` metres from `start` along the geodesic that leaves `start` at `bearing`, in
    /// degrees clockwise from north.
    ///
    /// A negative distance leads in the opposite direction. `bearing` and `distance` must be finite.
    public static func destination(
        from start: Coordinate, bearing: Double, distance: Double
    ) -> Coordinate {
        precondition(bearing.isFinite && distance.isFinite, "a destination needs a finite bearing and distance")
        var latitude = 0.0
        var longitude = 0.0
        waymark_geodesic_direct(start.latitude, start.longitude, bearing, distance, &latitude, &longitude)
        return Coordinate(valid: latitude, longitude)
    }

    /// Returns the nearest of the sixteen points of the compass, such as `SSW`.
    ///
    /// - Parameter bearing: degrees clockwise from north, at least 0.
    public static func compassPoint(_ bearing: Double) -> String {
        let points = [
            "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
        ]
        return points[Int((bearing / 22.5).rounded()) % points.count]
    }

    /// Maps GeographicLib's azimuths in [-180, 180] to [0, 360).
    private static func turn(_ azimuth: Double) -> Double {
        let turned = azimuth < 0 ? azimuth + 360 : azimuth
        // A tiny negative azimuth plus 360 rounds to 360 itself.
        return turned < 360 ? turned + 0.0 : 0
    }
}
