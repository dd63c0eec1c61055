// SPDX-License-Identifier: Apache-2.0

/// All places within a distance of a centre, for discarding points that are too far away without looking up their
/// coordinates.
public struct SurfaceCap: Sendable {
    public let centre: Coordinate
    /// In metres, along the geodesic.
    public let radius: Double
    let place: SIMD4<Double>
    let greatestChordSquared: Double

    public init(centre: Coordinate, radius: Double) {
        (self.centre, self.radius) = (centre, radius)
        place = Cartesian.position(of: centre) * Cartesian.unitsPerMetre
        // The straight line is never longer than the geodesic.
        let units = (radius + 2 * Cartesian.slack) * Cartesian.unitsPerMetre
        greatestChordSquared = units * units
    }

    /// False only for points outside the cap.
    @inline(__always)
    public func mayContain(_ point: SurfacePoint) -> Bool {
        point.packed.chordSquared(to: place) <= greatestChordSquared
    }
}
