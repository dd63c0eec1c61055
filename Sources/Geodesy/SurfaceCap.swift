// SPDX-License-Identifier: Apache-2.0

/// All places within a distance of a centre. It excludes points that are too far away without looking up their
/// coordinates.
public struct SurfaceCap: Sendable {
    public let centre: Coordinate
    /// The radius in metres, along the geodesic.
    public let radius: Double
    let place: SIMD4<Double>
    let greatestChordSquared: Double

    public init(centre: Coordinate, radius: Double) {
        (self.centre, self.radius) = (centre, radius)
        place = Cartesian.position(of: centre) * Cartesian.unitsPerMetre
        // A chord is never longer than its geodesic, so the radius bounds it.
        let units = (radius + 2 * Cartesian.slack) * Cartesian.unitsPerMetre
        greatestChordSquared = units * units
    }

    /// Whether the point may be in the cap. If false, the point is certainly outside.
    @inline(__always)
    public func mayContain(_ point: SurfacePoint) -> Bool {
        point.packed.chordSquared(to: place) <= greatestChordSquared
    }
}
