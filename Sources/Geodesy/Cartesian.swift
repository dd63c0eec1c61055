// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Earth-centred, earth-fixed coordinates: x through (0, 0), y through (0, 90° E), z through the north pole.
///
/// They have no seam at ±180 and no singular poles, which is why the index keeps them.
enum Cartesian {
    /// Units in one metre of the packed form.
    ///
    /// The axes reach 6,378,137 m, so 2⁸ units fill 31 bits: a third of what doubles would take, at 3.9 mm a unit.
    static let unitsPerMetre = 256.0

    /// How far a packed point may be from the true one, in metres: half a unit on three axes is 3.4 mm; the rest covers
    /// the rounding of the trigonometry (below 10 nm) and GeographicLib's own error (below 100 nm) many times.
    static let slack = 0.004

    /// The point of the ellipsoid's surface at a coordinate, in metres; the fourth lane is 0.
    static func position(of coordinate: Coordinate) -> SIMD4<Double> {
        let (sinLatitude, cosLatitude) = sineAndCosine(degrees: coordinate.latitude)
        let (sinLongitude, cosLongitude) = sineAndCosine(degrees: coordinate.longitude)
        // The radius of curvature in the prime vertical.
        let normal = Ellipsoid.a / (1 - Ellipsoid.e2 * sinLatitude * sinLatitude).squareRoot()
        let equatorial = normal * cosLatitude
        return SIMD4(
            equatorial * cosLongitude,
            equatorial * sinLongitude,
            normal * (1 - Ellipsoid.e2) * sinLatitude,
            0)
    }

    /// The packed form: whole units, and the caller's payload in the fourth lane.
    static func packed(_ coordinate: Coordinate, payload: UInt32) -> PackedPoint {
        packing(coordinate, payload: payload).point
    }

    /// The packed form and what it rounds away, in 1/65534 of its unit: 60 nm.
    static func packing(
        _ coordinate: Coordinate, payload: UInt32
    ) -> (point: PackedPoint, remainder: PackedRemainder) {
        let units = position(of: coordinate) * unitsPerMetre
        let whole = units.rounded(.toNearestOrEven)
        // Half a unit at most on each axis, so that it fits.
        let rest = (units - whole) * remainderScale
        return (
            PackedPoint(Int32(whole.x), Int32(whole.y), Int32(whole.z), Int32(bitPattern: payload)),
            PackedRemainder(
                Int16(clamping: Int(rest.x.rounded())), Int16(clamping: Int(rest.y.rounded())),
                Int16(clamping: Int(rest.z.rounded())), 0)
        )
    }

    private static let remainderScale = 65_534.0

    /// The point in metres, within ``packedError``; the fourth lane is 0. Without the four angles' sines.
    @inline(__always)
    static func position(_ point: PackedPoint, _ remainder: PackedRemainder) -> SIMD4<Double> {
        let unit = 1 / unitsPerMetre
        let fine = unit / remainderScale
        return SIMD4(
            Double(point.x) * unit + Double(remainder.x) * fine,
            Double(point.y) * unit + Double(remainder.y) * fine,
            Double(point.z) * unit + Double(remainder.z) * fine, 0)
    }

    /// How far ``position(_:_:)`` may be from ``position(of:)``, in metres: half of 60 nm on each of three axes.
    static let packedError = 0.053e-6

    /// Sine and cosine of an angle in degrees, with 90 and 180 exact.
    static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
        // Reduced to [-45, 45] first, so that a pole's cosine is 0 and not 6e-17.
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

/// x, y, z in units of 1/256 m, and a payload's bits in w.
typealias PackedPoint = SIMD4<Int32>

/// What the packed point lacks on x, y and z; w is 0.
typealias PackedRemainder = SIMD4<Int16>

extension SIMD4<Int32> {
    /// The payload that rides in the fourth lane.
    @inline(__always)
    var payload: UInt32 { UInt32(bitPattern: w) }

    /// The square of the straight line between this point and another, in square units.
    @inline(__always)
    func chordSquared(to query: SIMD4<Double>) -> Double {
        var difference = SIMD4<Double>(self) - query
        difference.w = 0
        return (difference * difference).sum()
    }
}
