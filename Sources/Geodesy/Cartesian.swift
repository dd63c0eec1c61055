// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Earth-centred, earth-fixed coordinates: x through (0, 0), y through (0, 90° E), z through the north pole.
///
/// The index keeps points in this form because it has no seam at ±180° and no singular poles.
enum Cartesian {
    /// The number of units of the packed form in one metre.
    ///
    /// A coordinate of the ellipsoid is at most 6,378,137 m, so 256 units a metre fill 31 bits. A packed point takes a
    /// third of the space of doubles, and one unit is 3.9 mm.
    static let unitsPerMetre = 256.0

    /// The greatest distance in metres between a packed point and the true point. Rounding by half a unit on each of
    /// three axes gives 3.4 mm. The rest is a generous allowance for the rounding of the trigonometry (below 10 nm) and
    /// for GeographicLib's own error (below 100 nm).
    static let slack = 0.004

    /// Returns the point of the ellipsoid's surface at a coordinate, in metres; the fourth lane is 0.
    static func position(of coordinate: Coordinate) -> SIMD4<Double> {
        position(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    /// Returns the point of the ellipsoid's surface at a latitude and any longitude, in degrees.
    static func position(latitude: Double, longitude: Double) -> SIMD4<Double> {
        let (sinLatitude, cosLatitude) = sineAndCosine(degrees: latitude)
        let (sinLongitude, cosLongitude) = sineAndCosine(degrees: longitude)
        // The radius of curvature in the prime vertical.
        let normal = Ellipsoid.a / (1 - Ellipsoid.e2 * sinLatitude * sinLatitude).squareRoot()
        let equatorial = normal * cosLatitude
        return SIMD4(
            equatorial * cosLongitude,
            equatorial * sinLongitude,
            normal * (1 - Ellipsoid.e2) * sinLatitude,
            0)
    }

    /// Returns two forms of a coordinate: the packed point in whole units, with the caller's payload in the fourth
    /// lane; and the remainder lost in rounding, in 1/65534 of a unit, which is 60 nm.
    static func packing(
        _ coordinate: Coordinate, payload: UInt32
    ) -> (point: PackedPoint, remainder: PackedRemainder) {
        let units = position(of: coordinate) * unitsPerMetre
        let whole = units.rounded(.toNearestOrEven)
        // The remainder is at most half a unit on each axis, so it fits into 16 bits.
        let rest = (units - whole) * remainderScale
        return (
            PackedPoint(Int32(whole.x), Int32(whole.y), Int32(whole.z), Int32(bitPattern: payload)),
            PackedRemainder(
                Int16(clamping: Int(rest.x.rounded())), Int16(clamping: Int(rest.y.rounded())),
                Int16(clamping: Int(rest.z.rounded())), 0)
        )
    }

    private static let remainderScale = 65_534.0

    /// Returns the point in metres, within ``packedError``; the fourth lane is 0. Needs no sines, unlike
    /// ``position(of:)``.
    @inline(__always)
    static func position(_ point: PackedPoint, _ remainder: PackedRemainder) -> SIMD4<Double> {
        let unit = 1 / unitsPerMetre
        let fine = unit / remainderScale
        return SIMD4(
            Double(point.x) * unit + Double(remainder.x) * fine,
            Double(point.y) * unit + Double(remainder.y) * fine,
            Double(point.z) * unit + Double(remainder.z) * fine, 0)
    }

    /// The greatest distance in metres between ``position(_:_:)`` and ``position(of:)``: half of 60 nm on each of
    /// three axes.
    static let packedError = 0.053e-6

    /// Returns sine and cosine of an angle in degrees. They are exact for multiples of 90 degrees.
    static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
        // The angle is reduced to [-45, 45] first, so that a pole's cosine is 0 and not 6e-17.
        let quarter = (degrees / 90).rounded()
        let angle = (degrees - 90 * quarter) * (Double.pi / 180)
        let (sine, cosine) = (sin(angle), cos(angle))
        return switch Int(quarter) & 3 {
        case 0: (sine, cosine)
        case 1: (cosine, -sine)
        case 2: (-sine, -cosine)
        default: (-cosine, sine)
        }
    }
}

/// x, y, z in units of 1/256 m; w holds the bits of the payload.
typealias PackedPoint = SIMD4<Int32>

/// The remainders on x, y and z that the packed point omits; w is 0.
typealias PackedRemainder = SIMD4<Int16>

extension SIMD4<Int32> {
    /// The caller's payload, kept in the fourth lane.
    @inline(__always)
    var payload: UInt32 { UInt32(bitPattern: w) }

    /// Returns the squared length of the straight line between this point and another, in units of 1/256 m.
    @inline(__always)
    func chordSquared(to query: SIMD4<Double>) -> Double {
        var difference = SIMD4<Double>(self) - query
        difference.w = 0
        return (difference * difference).sum()
    }
}
