// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Geodesy

/// Steele, Lea and Flood's generator (2014), so that a seed gives the same test everywhere.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in [0, 1).
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A place anywhere, each square metre alike on a sphere.
    mutating func anywhere() -> Coordinate {
        Coordinate(valid: asin(2 * unit() - 1) * 180 / .pi, 360 * unit() - 180)
    }

    /// A place up to `spread` degrees from another one, denser towards it.
    mutating func near(_ centre: Coordinate, spread: Double) -> Coordinate {
        let latitude = centre.latitude + spread * (unit() - 0.5) * unit()
        let longitude = centre.longitude + spread * (unit() - 0.5) * unit()
        return Coordinate(valid: min(90, max(-90, latitude)), longitude)
    }

    mutating func key() -> PointKey { PointKey(high: next() % 4, low: next()) }
}

/// A coordinate for tests; its numbers are known to be good.
func at(_ latitude: Double, _ longitude: Double) -> Coordinate { Coordinate(valid: latitude, longitude) }
