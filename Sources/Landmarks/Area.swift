// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A part of the earth's surface, edges included.
public enum Area: Hashable, Sendable {
    /// All places within `radius` metres of the centre, measured along the WGS84 geodesic.
    case circle(Coordinate, radius: Double)
    /// All places between two parallels and two meridians, in degrees.
    case box(AreaBox)
    /// All places within the rings of a polygon.
    case polygon(AreaPolygon)

    /// The greatest useful radius in metres, which is half the circumference of the earth.
    public static let greatestRadius = 20_037_508.0

    /// - Throws: ``InvalidInput/outOfRange(_:_:)`` if the radius is not a number from 0 to ``greatestRadius``.
    public static func circle(at centre: Coordinate, radius: Double) throws(InvalidInput) -> Area {
        guard radius.isFinite, (0...greatestRadius).contains(radius) else {
            throw .outOfRange("radius", "0 to 20,037,508 metres")
        }
        return .circle(centre, radius: radius + 0.0)
    }

    public func contains(_ coordinate: Coordinate) -> Bool {
        switch self {
        case .box(let box): return box.contains(coordinate)
        case .polygon(let polygon): return polygon.contains(coordinate)
        case .circle(let centre, let radius):
            // A degree of latitude is at least 110,574 m long (at the equator). This test excludes most places without
            // computing a geodesic.
            guard abs(coordinate.latitude - centre.latitude) * 110_574 <= radius + 1 else { return false }
            return Geodesic.distance(from: centre, to: coordinate) <= radius
        }
    }

    /// A box that contains the area, and may be larger.
    public var bounds: AreaBox {
        switch self {
        case .box(let box): box
        case .polygon(let polygon): polygon.bounds
        case .circle(let centre, let radius): AreaBox(around: centre, radius: radius)
        }
    }
}
