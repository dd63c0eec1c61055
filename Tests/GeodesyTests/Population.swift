// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Geodesy

/// Distributions of points on the earth.
enum Population: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case everywhere, cities, onePlace, poles, antimeridian, equator, grid

    var testDescription: String { rawValue }

    /// A random place of this population.
    func place(_ random: inout SplitMix64) -> Coordinate {
        switch self {
        case .everywhere:
            return random.anywhere()
        case .cities:
            var centres = SplitMix64(seed: random.next() % 12)
            return random.near(centres.anywhere(), spread: 0.5)
        case .onePlace:
            return at(-33.8568, 151.2153)
        case .poles:
            let latitude = (random.next() & 1 == 0 ? 90.0 : -90) * (1 - 0.0001 * Double(random.next() % 4))
            return at(latitude, 360 * random.unit() - 180)
        case .antimeridian:
            let longitude = (random.next() & 1 == 0 ? 180.0 : -180) * (1 - 0.0001 * Double(random.next() % 3))
            return at(180 * random.unit() - 90, longitude)
        case .equator:
            return at(0.001 * (random.unit() - 0.5), 360 * random.unit() - 180)
        case .grid:
            // Many points at exactly equal distances, and many at one place.
            return at(Double(random.next() % 21) - 10, Double(random.next() % 21) - 10)
        }
    }

    /// A random place to ask about: one of the population, the antipode of one, or anywhere.
    func question(_ random: inout SplitMix64) -> Coordinate {
        let place = place(&random)
        switch random.next() % 4 {
        case 0: return random.anywhere()
        case 1: return at(-place.latitude, place.longitude <= 0 ? place.longitude + 180 : place.longitude - 180)
        case 2: return random.near(place, spread: 0.1)
        default: return place
        }
    }
}
