// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("The nearest of those that are offered", .computing)
struct NearestFewTests {
    @Test("equals brute force, with every mix of bounds", arguments: Population.allCases)
    func mixes(population: Population) {
        var random = SplitMix64(seed: 21)
        for size in [0, 1, 30, 600] {
            var brute = BruteForce()
            for payload in 0..<UInt32(size) {
                brute.insert(random.key(), at: population.place(&random), payload: payload)
            }
            for _ in 0..<20 {
                let place = population.question(&random)
                let all = brute.nearest(to: place, limit: .max)
                let bounds = [all.randomElement(using: &random)?.distance, nil]
                let maximum = bounds[Int(random.next() % 2)]
                let minimum = bounds[Int(random.next() % 2)]
                let after = random.next() & 1 == 0 ? all.randomElement(using: &random) : nil
                let cursor = after.map { ($0.distance, $0.key) }
                let limit = [1, 7, 100][Int(random.next() % 3)]
                var few = NearestFew(
                    to: place, limit: limit, maxDistance: maximum, minDistance: minimum, after: cursor)
                let forgotten = Set((0..<UInt32(size)).filter { _ in random.next() % 50 == 0 })
                for (key, point) in brute.points {
                    few?.offer(key, SurfacePoint(SpatialPlace(point.coordinate)), payload: point.payload) {
                        point.coordinate
                    }
                }
                let wanted = brute.nearest(
                    to: place, limit: .max, maxDistance: maximum, minDistance: minimum, after: cursor)
                #expect(few?.rows == Array(wanted.prefix(limit)))
                let count = few?.forget(forgotten) ?? 0
                let left = wanted.filter { !forgotten.contains($0.payload) }
                #expect(
                    few.map { Array($0.rows.prefix(max(0, limit - count))) }
                        == Array(left.prefix(max(0, limit - count))))
            }
        }
        #expect(NearestFew(to: at(0, 0), limit: 0) == nil && NearestFew(to: at(0, 0), limit: 1, maxDistance: -1) == nil)
    }

    @Test("of thousands, hardly more points are measured than are kept")
    func measured() throws {
        var random = SplitMix64(seed: 22)
        var few = try #require(NearestFew(to: at(10, 10), limit: 20))
        var asked = 0
        for payload in 0..<10_000 as Range<UInt32> {
            let place = random.anywhere()
            few.offer(random.key(), SurfacePoint(SpatialPlace(place)), payload: payload) {
                asked += 1
                return place
            }
        }
        #expect(asked < 400)
    }
}
