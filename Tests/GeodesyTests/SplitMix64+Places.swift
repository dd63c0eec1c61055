// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import Geodesy

extension SplitMix64 {
    /// A place anywhere, uniformly distributed on a sphere.
    mutating func anywhere() -> Coordinate {
        Coordinate(valid: asin(2 * unit() - 1) * 180 / .pi, 360 * unit() - 180)
    }

    /// A place up to `spread` degrees from another one, more likely close to it.
    mutating func near(_ centre: Coordinate, spread: Double) -> Coordinate {
        let latitude = centre.latitude + spread * (unit() - 0.5) * unit()
        let longitude = centre.longitude + spread * (unit() - 0.5) * unit()
        return Coordinate(valid: min(90, max(-90, latitude)), longitude)
    }

    mutating func key() -> PointKey { PointKey(high: next() % 4, low: next()) }
}

/// A coordinate for tests, from numbers that are known to be valid.
func at(_ latitude: Double, _ longitude: Double) -> Coordinate { Coordinate(valid: latitude, longitude) }
