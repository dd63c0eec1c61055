// SPDX-License-Identifier: Apache-2.0

import Glibc
public import Geodesy

/// The area between two parallels and two meridians, in degrees, edges included. If `west` is greater than `east`, the
/// box contains the 180th meridian.
public struct AreaBox: Hashable, Sendable {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    /// - Throws: ``InvalidInput`` if an angle is out of range, or if `south` is greater than `north`.
    public init(south: Double, west: Double, north: Double, east: Double) throws(InvalidInput) {
        guard [south, west, north, east].allSatisfy(\.isFinite), south >= -90, north <= 90, abs(west) <= 180,
            abs(east) <= 180
        else { throw .outOfRange("area", "degrees: latitudes within ±90, longitudes within ±180") }
        guard south <= north else {
            throw .coordinate(
                "The south of the area, \(south.short), is beyond its north, \(north.short): the order is south, west, "
                    + "north, east.")
        }
        // -0 becomes 0, so that equal boxes have equal encodings.
        self.init(valid: south + 0.0, west + 0.0, north + 0.0, east + 0.0)
    }

    private init(valid south: Double, _ west: Double, _ north: Double, _ east: Double) {
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    public func contains(_ coordinate: Coordinate) -> Bool {
        guard (south...north).contains(coordinate.latitude) else { return false }
        let longitude = coordinate.longitude
        if west <= east, (west...east).contains(longitude) { return true }
        if west > east, longitude >= west || longitude <= east { return true }
        // -180 and 180 are the same meridian.
        guard abs(longitude) == 180 else { return false }
        return west > east || west == -180 || east == 180
    }

    /// Makes a box that contains a circle, with a small margin. If the circle comes near a pole, the box spans all
    /// longitudes.
    ///
    /// On a sphere, the meridians that touch a circle are asin(sin(r/R) / cos φ) away from its centre. Here R is the
    /// smallest radius of curvature of WGS84 (the meridian's at the equator, 6,335,439 m). φ is taken a quarter of a
    /// degree nearer to the pole, which exceeds the difference between geographic and geocentric latitude (0.1925°).
    init(around centre: Coordinate, radius: Double) {
        let height = (radius + 1) / 110_574
        let south = max(-90, centre.latitude - height)
        let north = min(90, centre.latitude + height)
        let angle = (radius + 1) / 6_335_439
        let latitude = min(90, abs(centre.latitude) + 0.25) * .pi / 180
        let ratio = angle < .pi / 2 ? sin(angle) / cos(latitude) : 2
        guard south > -90, north < 90, ratio < 0.999 else {
            self.init(valid: south, -180, north, 180)
            return
        }
        // At most 89 degrees, because of the bound of the ratio.
        let width = asin(ratio) * 180 / .pi * 1.01
        let turn = { (longitude: Double) in abs(longitude) > 180 ? longitude.remainder(dividingBy: 360) : longitude }
        self.init(valid: south, turn(centre.longitude - width), north, turn(centre.longitude + width))
    }
}
