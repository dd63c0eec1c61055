// SPDX-License-Identifier: Apache-2.0

import Foundation

/// East and north at a place of the ellipsoid, as directions of the earth-centred axes.
struct Compass {
    private let east: SIMD4<Double>
    private let north: SIMD4<Double>

    /// At a pole the longitude says which way is north, as it does in GeographicLib.
    init(at place: Coordinate) {
        let (sinLatitude, cosLatitude) = Cartesian.sineAndCosine(degrees: place.latitude)
        let (sinLongitude, cosLongitude) = Cartesian.sineAndCosine(degrees: place.longitude)
        east = SIMD4(-sinLongitude, cosLongitude, 0, 0)
        north = SIMD4(-sinLatitude * cosLongitude, -sinLatitude * sinLongitude, cosLatitude, 0)
    }

    /// Degrees clockwise from north, in [0, 360), of a line that begins here.
    @inline(__always)
    func bearing(of line: SIMD4<Double>) -> Double {
        let degrees = atan2((line * east).sum(), (line * north).sum()) * (180 / .pi)
        let turned = degrees < 0 ? degrees + 360 : degrees
        // A tiny negative angle plus 360 rounds to 360 itself.
        return turned < 360 ? turned + 0.0 : 0
    }
}
