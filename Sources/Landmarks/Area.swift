// SPDX-License-Identifier: Apache-2.0

public import Geodesy

/// A part of the earth's surface, edges included.
public enum Area: Hashable, Sendable {
    /// All within `radius` metres of the centre, along the WGS84 geodesic.
    case circle(Coordinate, radius: Double)
    /// Between two parallels and two meridians, in degrees.
    case box(AreaBox)

    /// The greatest radius that says anything: half the way round the earth, in metres.
    public static let greatestRadius = 20_037_508.0

    /// - Throws: ``InvalidInput/outOfRange(_:_:)`` for a radius that is no number from 0 to ``greatestRadius``.
    public static func circle(at centre: Coordinate, radius: Double) throws(InvalidInput) -> Area {
        guard radius.isFinite, (0...greatestRadius).contains(radius) else {
            throw .outOfRange("radius", "0 to 20,037,508 metres")
        }
        return .circle(centre, radius: radius + 0.0)
    }

    public func contains(_ coordinate: Coordinate) -> Bool {
        switch self {
        case .box(let box): return box.contains(coordinate)
        case .circle(let centre, let radius):
            // A degree of latitude is nowhere shorter than at the equator: 110,574 m. Most places end here.
            guard abs(coordinate.latitude - centre.latitude) * 110_574 <= radius + 1 else { return false }
            return Geodesic.distance(from: centre, to: coordinate) <= radius
        }
    }

    /// A box that holds all of it, and perhaps more.
    public var bounds: AreaBox {
        switch self {
        case .box(let box): box
        case .circle(let centre, let radius): AreaBox(around: centre, radius: radius)
        }
    }
}
