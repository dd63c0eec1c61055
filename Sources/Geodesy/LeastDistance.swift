// SPDX-License-Identifier: Apache-2.0

/// A place from which distances are bounded from below. A bound never exceeds the true geodesic distance, but may be
/// shorter.
public struct LeastDistance: Sendable {
    /// The metres by which every bound is lowered, as a generous allowance for rounding and for GeographicLib's own
    /// error.
    static let slack = 0.001

    public let place: Coordinate
    private let position: SIMD4<Double>

    public init(from place: Coordinate) {
        self.place = place
        position = Cartesian.position(of: place)
    }

    /// Returns a lower bound, in metres, of the distance to every place at this latitude or beyond it.
    ///
    /// A line on the surface is at least as long as its north-south part. All meridians have the same shape, so this
    /// part is at least as long as the piece of the place's own meridian between the two latitudes.
    public func toParallel(_ latitude: Double) -> Double {
        guard let other = try? Coordinate(latitude: latitude, longitude: place.longitude) else { return 0 }
        return max(0, Geodesic.distance(from: place, to: other) - Self.slack)
    }

    /// Returns a lower bound, in metres, of the distance to every place on this meridian, from pole to pole.
    ///
    /// The meridian lies in a half-plane whose edge is the earth's axis. The straight line to the half-plane is at most
    /// as long as a straight line to the meridian, which is at most as long as a line on the surface.
    public func toMeridian(_ longitude: Double) -> Double {
        let angle = abs((longitude - place.longitude).remainder(dividingBy: 360))
        let axis = (position.x * position.x + position.y * position.y).squareRoot()
        return max(0, (angle < 90 ? axis * Cartesian.sineAndCosine(degrees: angle).sine : axis) - Self.slack)
    }

    /// Returns a lower bound, in metres, of the distance to every place in the ball; 0 if this place may be in it.
    public func to(_ ball: SurfaceBall) -> Double {
        let way = ball.centre - position
        return max(0, (way * way).sum().squareRoot() - ball.radius - Self.slack)
    }
}

/// A ball that contains all places in a rectangle of longitudes and latitudes. So it contains every line that is
/// straight on a flat map and joins two opposite corners.
public struct SurfaceBall: Sendable {
    let centre: SIMD4<Double>
    /// The radius in metres along the surface: at least the distance from the centre to every place of the rectangle.
    public let radius: Double

    /// The longitude of the rectangle's middle, in degrees; `latitude` likewise.
    public let longitude: Double
    public let latitude: Double

    /// - Parameters:
    ///   - from: the longitude and latitude of a corner in degrees. A longitude may be beyond ±180.
    ///   - to: the longitude and latitude of the opposite corner.
    public init(from: (longitude: Double, latitude: Double), to: (longitude: Double, latitude: Double)) {
        longitude = (from.longitude + to.longitude) / 2
        latitude = (from.latitude + to.latitude) / 2
        centre = Cartesian.position(latitude: latitude, longitude: longitude)
        // The radius is the length of a path along a meridian, then along a parallel, computed with the greatest radius
        // of curvature.
        let crossesEquator = min(from.latitude, to.latitude) <= 0 && max(from.latitude, to.latitude) >= 0
        let low = crossesEquator ? 0 : min(abs(from.latitude), abs(to.latitude))
        let high = abs(to.latitude - from.latitude) / 2 * (.pi / 180)
        let wide = abs(to.longitude - from.longitude) / 2 * (.pi / 180)
        radius =
            Ellipsoid.greatestRadius * (high + wide * Cartesian.sineAndCosine(degrees: low).cosine)
            + LeastDistance.slack
    }
}
