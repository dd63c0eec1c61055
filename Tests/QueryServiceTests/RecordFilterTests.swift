// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing

@testable import QueryService

@Suite("Caps around areas", .computing)
struct RecordFilterTests {
    private func area(_ random: inout SplitMix64) throws -> Area {
        let size = [0.01, 1, 20, 90, 179][Int(random.next() % 5)]
        let west = 360 * random.unit() - 180
        let south = random.next() % 4 == 0 ? -90 : 170 * random.unit() - 90
        let north = random.next() % 4 == 0 ? 90 : min(90, south + size * random.unit())
        let east = (west + size * random.unit()).remainder(dividingBy: 360)
        switch random.next() % 3 {
        case 0: return .box(try AreaBox(south: south, west: west, north: north, east: east))
        case 1: return try .circle(at: Coordinate(latitude: south, longitude: west), radius: 1e5 * size * random.unit())
        default:
            let corners = (0..<5).map { _ in
                AreaPolygon.Corner(
                    longitude: west + size * random.unit(), latitude: south + (north - south) * random.unit())
            }
            return .polygon(try AreaPolygon(rings: [corners]))
        }
    }

    @Test("what is in an area is in its cap; the cap of a small area is small")
    func caps() throws {
        var random = SplitMix64(seed: 12)
        var inside = 0
        for _ in 0..<400 {
            let area = try area(&random)
            guard let cap = RecordFilter(area: area).cap else { continue }
            let box = area.bounds
            let width = box.east - box.west + (box.west > box.east ? 360 : 0)
            for number in 0..<60 {
                // Many on the edges and in the corners.
                let (x, y) = (
                    number % 3 == 0 ? Double(random.next() % 2) : random.unit(),
                    number % 4 == 0 ? Double(random.next() % 2) : random.unit()
                )
                let place = try Coordinate(
                    latitude: min(90, box.south + (box.north - box.south) * y), longitude: box.west + width * x)
                guard area.contains(place) else { continue }
                inside += 1
                #expect(cap.mayContain(SurfacePoint(SpatialPlace(place))), "\(area) \(place)")
                #expect(Geodesic.distance(from: cap.centre, to: place) <= cap.radius, "\(area) \(place)")
            }
        }
        #expect(inside > 5_000)
        let small = RecordFilter(area: .box(try AreaBox(south: -34, west: 151, north: -33.9, east: 151.1)))
        let cap = try #require(small.cap)
        #expect(cap.radius < 10_000)
        #expect(!cap.mayContain(SurfacePoint(SpatialPlace(try Coordinate(latitude: -34.2, longitude: 151)))))
        let wide = RecordFilter(area: .box(try AreaBox(south: -1, west: -100, north: 1, east: 100)))
        #expect(wide.cap == nil && RecordFilter().cap == nil)
    }
}
