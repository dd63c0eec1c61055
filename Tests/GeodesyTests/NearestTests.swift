// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("Nearest, against brute force", .computing)
struct NearestTests {
    /// A population of this size, both in an index and as brute force.
    private func make(_ population: Population, _ count: Int, seed: UInt64) -> (BruteForce, SpatialIndex) {
        var random = SplitMix64(seed: seed)
        var brute = BruteForce()
        for payload in 0..<UInt32(count) {
            brute.insert(random.key(), at: population.place(&random), payload: payload)
        }
        return (brute, SpatialIndex(brute))
    }

    @Test("every mix of bounds, filter and limit", arguments: Population.allCases)
    func mixes(population: Population) {
        var random = SplitMix64(seed: 1)
        for size in [1, 7, 8, 9, 100, 400] {
            let (brute, index) = make(population, size, seed: UInt64(size))
            for _ in 0..<200 {
                let place = population.question(&random)
                let all = brute.nearest(to: place, limit: .max)
                let limit = [1, 2, 20, 1000][Int(random.next() % 4)]
                // Some bounds equal the distance of a point, to test that they are inclusive; others do not.
                let (one, other) = (all.randomElement(using: &random), all.randomElement(using: &random))
                let bounds = [one?.distance, other.map { $0.distance * 1.01 }, nil]
                let maxDistance = bounds[Int(random.next() % 3)]
                let minDistance = bounds[Int(random.next() % 3)]
                let before = random.next() & 1 == 0 ? all.randomElement(using: &random) : nil
                let after = before.map { ($0.distance, $0.key) }
                #expect(
                    index.nearest(
                        to: place, limit: limit, maxDistance: maxDistance, minDistance: minDistance, after: after)
                        == brute.nearest(
                            to: place, limit: limit, maxDistance: maxDistance, minDistance: minDistance, after: after))
                #expect(
                    index.nearest(
                        to: place, limit: limit, maxDistance: maxDistance, minDistance: minDistance, after: after
                    ) { $0 % 3 == 0 }
                        == brute.nearest(
                            to: place, limit: limit, maxDistance: maxDistance, minDistance: minDistance, after: after
                        ) { $0 % 3 == 0 })
            }
        }
    }
}
