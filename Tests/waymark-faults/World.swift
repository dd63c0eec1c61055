// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Geodesy
import Landmarks
import TestSupport

/// The places of a run: landmarks within one degree by one, and watched areas of a few kilometres.
enum World {
    static let south = 10.0
    static let west = 20.0
    static let kinds = ["beach", "church", "harbour", "museum", "park", "pub", "summit", "well"]

    static func place(_ random: inout SplitMix64) -> Coordinate? {
        try? Coordinate(latitude: south + random.unit(), longitude: west + random.unit())
    }

    /// The filter of a feed. Three of ten follow everything; several follow the same area.
    static func filter(_ feed: Int) -> FilterSpec {
        switch feed % 10 {
        case 0, 5, 8: FilterSpec()
        case 1: FilterSpec(.circle(latitude: 10.5, longitude: 20.5, radius: 15_000))
        case 2: FilterSpec(.circle(latitude: 10.25, longitude: 20.75, radius: 20_000 + Double(feed / 10) * 1_000))
        case 3: FilterSpec(.box(south: 10.1, west: 20.1, north: 10.4, east: 20.6))
        case 4: FilterSpec(kinds: ["beach", "pub"])
        case 6: FilterSpec(.circle(latitude: 10.7, longitude: 20.3, radius: 30_000), kinds: ["church", "well", "park"])
        case 7: FilterSpec(users: ["writer0"])
        default: FilterSpec(.box(south: 10.6, west: 20.6, north: 10.9, east: 20.9), users: ["writer1"])
        }
    }
}
