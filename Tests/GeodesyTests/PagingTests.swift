// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("Paging by distance", .computing)
struct PagingTests {
    @Test("all pages together are the whole order, each point once", arguments: Population.allCases, [1, 7, 50])
    func toTheEnd(population: Population, limit: Int) {
        var random = SplitMix64(seed: UInt64(limit))
        var brute = BruteForce()
        for payload in 0..<UInt32(250) {
            brute.insert(random.key(), at: population.place(&random), payload: payload)
        }
        let index = SpatialIndex(brute)
        for _ in 0..<3 {
            let place = population.question(&random)
            var rows: [Neighbour] = []
            while rows.count <= brute.points.count {
                let page = index.nearest(to: place, limit: limit, after: rows.last.map { ($0.distance, $0.key) })
                guard !page.isEmpty else { break }
                #expect(page.count == min(limit, brute.points.count - rows.count))
                rows += page
            }
            #expect(rows == brute.nearest(to: place, limit: .max))
        }
    }

    @Test("a thousand points at one place come in the order of their keys, over many pages")
    func ties() {
        var random = SplitMix64(seed: 5)
        let keys = (0..<1000).map { _ in random.key() }
        let place = at(-33.8568, 151.2153)
        let index = SpatialIndex(SpatialTree(coordinates: keys.map { _ in place }, keys: keys))
        for question in [place, at(33, -28), at(-33.85, 151.2)] {
            var rows: [Neighbour] = []
            while rows.count < 1000 {
                let page = index.nearest(to: question, limit: 30, after: rows.last.map { ($0.distance, $0.key) })
                guard !page.isEmpty else { break }
                rows += page
            }
            #expect(rows.map(\.key) == keys.sorted())
        }
    }

    @Test("impossible or meaningless bounds give no rows")
    func nothing() {
        var random = SplitMix64(seed: 6)
        let place = random.anywhere()
        let key = random.key()
        let index = SpatialIndex(SpatialTree(coordinates: [place], keys: [key]))
        #expect(index.nearest(to: place, limit: 0).isEmpty)
        #expect(index.nearest(to: place, limit: -1).isEmpty)
        #expect(index.nearest(to: place, limit: 1, maxDistance: -1).isEmpty)
        #expect(index.nearest(to: place, limit: 1, maxDistance: .nan).isEmpty)
        #expect(index.nearest(to: place, limit: 1, minDistance: .nan).isEmpty)
        #expect(index.nearest(to: place, limit: 1, after: (.nan, key)).isEmpty)
        #expect(index.nearest(to: place, limit: 1, after: (0, key)).isEmpty)
        #expect(index.nearest(to: place, limit: 1, minDistance: .infinity).isEmpty)
        #expect(index.nearest(to: place, limit: .max, maxDistance: 0, minDistance: -1).map(\.key) == [key])
        #expect(SpatialIndex().nearest(to: place, limit: 10).isEmpty)
    }
}
