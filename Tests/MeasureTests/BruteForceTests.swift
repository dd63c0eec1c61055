// SPDX-License-Identifier: Apache-2.0

import Geodesy
import TestTurns
import Testing

@testable import waymark_measure

@Suite("Brute force", .inShortTurn)
struct BruteForceTests {
    @Test("It is what the geodesics of all points say, also at the poles, the seam and the other side of the earth")
    func truth() throws {
        var points = try World(landmarks: 2_000, seed: 3).points()
        points += try [(90.0, 0.0), (-90, 12), (0, 180), (0, -180), (10, 179.999), (10, -179.999)].map {
            try Coordinate(latitude: $0.0, longitude: $0.1)
        }
        let force = BruteForce(points)
        var places = World.questions(100, seed: 9)
        places += try [(89.999, 40.0), (0, 180), (10, 180), (-45, 100), (-90, 0)].map {
            try Coordinate(latitude: $0.0, longitude: $0.1)
        }
        #expect(
            force.count(within: 300_000, of: places[0])
                == points.count {
                    Geodesic.distance(from: places[0], to: $0) <= 300_000
                })
        for place in places {
            let all = points.indices.map { ($0, Geodesic.distance(from: place, to: points[$0])) }
                .sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 < $1.1 }
            for radius in [.infinity, 500_000.0] {
                let expected = all.filter { $0.1 <= radius }.prefix(20)
                #expect(force.nearest(20, to: place, within: radius).map(\.number) == expected.map(\.0))
            }
        }
    }

    @Test("An answer with two in the wrong order, one twice, or one left out, is not true")
    func wrong() throws {
        let points = try World(landmarks: 1_000, seed: 4).points()
        let force = BruteForce(points)
        let place = World.questions(1, seed: 5)[0]
        let right = force.nearest(20, to: place).map(\.number)
        #expect(OrderRow.isTrue(right, place, force))
        var swapped = right
        swapped.swapAt(4, 5)
        #expect(!OrderRow.isTrue(swapped, place, force))
        #expect(!OrderRow.isTrue(Array(right.dropLast()), place, force))
        #expect(!OrderRow.isTrue(right.dropLast() + [right[0]], place, force))
        #expect(!OrderRow.isTrue(right.dropLast() + [1_000], place, force))
    }
}
