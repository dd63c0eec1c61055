// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing

@Suite("Areas", .computing)
struct AreaTests {
    @Test("parallels in the wrong order are named, each with its number")
    func swappedParallels() {
        let error = #expect(throws: InvalidInput.self) {
            try AreaBox(south: -33.5, west: 151, north: -34, east: 151.5)
        }
        #expect(
            error?.description
                == "The south of the area, -33.5, is beyond its north, -34: the order is south, west, north, east.")
    }

    @Test("the box around a circle holds all of it, poles and the 180th meridian too")
    func bounds() throws {
        var random = SplitMix64(seed: 7)
        var inside = 0
        for round in 0..<20_000 {
            let latitude =
                switch round % 4 {
                case 0: 90 - random.unit() * 2
                case 1: -90 + random.unit() * 2
                default: random.unit() * 180 - 90
                }
            let longitude = round % 3 == 0 ? 180 - random.unit() : random.unit() * 360 - 180
            let centre = try Coordinate(latitude: latitude, longitude: longitude)
            let radius = [10, 2_000, 300_000, 4_000_000, 19_000_000][round % 5] * random.unit()
            let area = try Area.circle(at: centre, radius: radius)
            for _ in 0..<5 {
                // Mostly near the edge, where a box that is too small shows.
                let distance = radius * (0.9 + 0.2 * random.unit())
                let place = Geodesic.destination(
                    from: centre, bearing: random.unit() * 360, distance: distance)
                let isInside = Geodesic.distance(from: centre, to: place) <= radius
                #expect(area.contains(place) == isInside, "\(centre) \(radius) \(place)")
                if isInside {
                    inside += 1
                    #expect(area.bounds.contains(place), "\(centre) \(radius) \(place) \(area.bounds)")
                }
            }
        }
        #expect(inside > 20_000)
    }

    @Test("a box holds its edges, crosses the 180th meridian, and knows its two names")
    func boxes() throws {
        let plain = try AreaBox(south: -10, west: 20, north: 10, east: 30)
        for (latitude, longitude, holds) in [
            (0.0, 25.0, true), (-10, 20, true), (10, 30, true), (10.1, 25, false), (0, 30.1, false), (0, 19.9, false),
        ] {
            #expect(plain.contains(try Coordinate(latitude: latitude, longitude: longitude)) == holds)
        }
        let across = try AreaBox(south: -20, west: 170, north: 0, east: -170)
        for (longitude, holds) in [(175.0, true), (-175, true), (180, true), (-180, true), (0, false), (169, false)] {
            #expect(across.contains(try Coordinate(latitude: -10, longitude: longitude)) == holds)
        }
        let upTo = try AreaBox(south: -20, west: 170, north: 0, east: 180)
        #expect(upTo.contains(try Coordinate(latitude: -10, longitude: -180)))
        let order = "The south of the area, 1, is beyond its north, 0: the order is south, west, north, east."
        #expect(throws: InvalidInput.coordinate(order)) { try AreaBox(south: 1, west: 0, north: 0, east: 1) }
        let degrees = InvalidInput.outOfRange("area", "degrees: latitudes within ±90, longitudes within ±180")
        #expect(throws: degrees) { try AreaBox(south: 0, west: 0, north: 91, east: 1) }
        #expect(throws: degrees) { try AreaBox(south: 0, west: .nan, north: 1, east: 1) }
        #expect(throws: InvalidInput.outOfRange("radius", "0 to 20,037,508 metres")) {
            try Area.circle(at: try Coordinate(latitude: 0, longitude: 0), radius: -1)
        }
    }
}
