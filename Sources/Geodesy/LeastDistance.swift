// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A place from which distances are bounded from below. The bounds never exceed the true distance along the geodesic,
/// and may fall short of it.
public struct LeastDistance: Sendable {
    /// The metres by which every bound is lowered: a generous allowance for rounding, and for GeographicLib's own
    /// error.
    static let slack = 0.001

    public let place: Coordinate
    private let position: SIMD4<Double>

    public init(from place: Coordinate) {
        self.place = place
        position = Cartesian.position(of: place)
    }

    /// A lower bound in metres to every place at this latitude, or beyond it.
    ///
    /// A line on the surface is at least as long as its north-south part, and all meridians are alike: so it is at
    /// least as long as the piece of meridian between the two latitudes.
    public func toParallel(_ latitude: Double) -> Double {
        guard let other = try? Coordinate(latitude: latitude, longitude: place.longitude) else { return 0 }
        return max(0, Geodesic.distance(from: place, to: other) - Self.slack)
    }

    /// A lower bound in metres to every place on this meridian, from pole to pole.
    ///
    /// The meridian lies in a half-plane that ends at the earth's axis. The straight line to the half-plane is no
    /// longer than one to the meridian, and a straight line is no longer than one on the surface.
    public func toMeridian(_ longitude: Double) -> Double {
        let angle = abs((longitude - place.longitude).remainder(dividingBy: 360))
        let axis = (position.x * position.x + position.y * position.y).squareRoot()
        return max(0, (angle < 90 ? axis * Cartesian.sineAndCosine(degrees: angle).sine : axis) - Self.slack)
    }

    /// A lower bound in metres to every place in the ball; 0 if this place may be in it.
    public func to(_ ball: SurfaceBall) -> Double {
        let way = ball.centre - position
        return max(0, (way * way).sum().squareRoot() - ball.radius - Self.slack)
    }
}

/// A ball around a rectangle of longitudes and latitudes, and so around every line that is straight on a flat map and
/// has its ends in two opposite corners.
public struct SurfaceBall: Sendable {
    let centre: SIMD4<Double>
    /// The radius in metres along the surface: at least the distance from the centre to every place of the rectangle.
    public let radius: Double

    /// The longitude of the rectangle's middle, in degrees.
    public let longitude: Double
    public let latitude: Double

    /// - Parameters:
    ///   - from: the longitude and latitude of a corner in degrees. A longitude may be beyond ±180.
    ///   - to: the longitude and latitude of the opposite corner.
    public init(from: (longitude: Double, latitude: Double), to: (longitude: Double, latitude: Double)) {
        longitude = (from.longitude + to.longitude) / 2
        latitude = (from.latitude + to.latitude) / 2
        centre = Cartesian.position(latitude: latitude, longitude: longitude)
        // The path goes along the meridian, then along the parallel: neither is more curved than with the greatest
        // radius.
        let crossesEquator = min(from.latitude, to.latitude) <= 0 && max(from.latitude, to.latitude) >= 0
        let low = crossesEquator ? 0 : min(abs(from.latitude), abs(to.latitude))
        let high = abs(to.latitude - from.latitude) / 2 * (.pi / 180)
        let wide = abs(to.longitude - from.longitude) / 2 * (.pi / 180)
        radius =
            Ellipsoid.greatestRadius * (high + wide * Cartesian.sineAndCosine(degrees: low).cosine)
            + LeastDistance.slack
    }
}
