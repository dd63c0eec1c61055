// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("Points that move for hours", .computing)
struct MovingTests {
    /// How many points a search for the nearest 20 examines: those of each leaf whose box is near enough.
    private func looked(_ index: SpatialIndex, _ places: [Coordinate]) -> Int {
        var count = 0
        for place in places {
            guard let last = index.nearest(to: place, limit: 20).last else { continue }
            let query = Cartesian.position(of: place) * Cartesian.unitsPerMetre
            let reach = SearchLimits.squaredUnits(ChordBounds.longestChord(within: last.distance))
            let first = index.base.leafCount - 1
            for leaf in 0..<index.base.leafCount
            where index.base.boxes[first + leaf].leastChordSquared(to: query) <= reach {
                count += SpatialTree.range(ofLeaf: leaf, count: index.base.count, depth: index.base.depth).count
                var entry = index.overlay.heads[leaf]
                while entry >= 0 {
                    count += 1
                    entry = index.overlay.entries[Int(entry)].next
                }
            }
        }
        return count
    }

    /// 400 of 4,000 points fly from city to city: the number of changed points alone would be too small for a
    /// rebuild.
    @Test("do not slow the search down: their moves request a rebuild too")
    func moves() {
        var random = SplitMix64(seed: 31)
        let cities = (0..<20).map { _ in random.near(at(50, 10), spread: 8) }
        let keys = (0..<4_000).map { _ in random.key() }
        let places = (0..<4_000).map { random.near(cities[$0 % 20], spread: 0.1) }
        let questions = (0..<40).map { random.near(cities[$0 % 20], spread: 0.1) }
        let tree = SpatialTree(coordinates: places, keys: keys)
        var (kept, left) = (SpatialIndex(tree), SpatialIndex(tree))
        let fresh = looked(left, questions)
        var (rebuilds, with, without) = (0, 0, 0)
        var flights = (0..<400).map { (from: places[$0], to: cities[$0 % 7]) }
        for step in 1...75 {
            let part = Double(step % 25) / 25
            for mover in 0..<400 {
                if part == 0 {
                    let next = random.near(cities[Int(random.next() % 20)], spread: 0.1)
                    flights[mover] = (flights[mover].to, next)
                }
                let (from, to) = flights[mover]
                let place = at(
                    from.latitude + (to.latitude - from.latitude) * part,
                    from.longitude + (to.longitude - from.longitude) * part)
                left.insert(keys[mover], at: place, payload: UInt32(mover))
                kept.insert(keys[mover], at: place, payload: UInt32(mover))
                if kept.needsRebuild {
                    let rebuilt = kept.beginRebuild().build()
                    kept.adopt(rebuilt)
                    rebuilds += 1
                }
            }
            guard step % 15 == 0 else { continue }
            with += looked(kept, questions)
            without += looked(left, questions)
        }
        #expect(without > 5 * fresh * 3 / 2, "\(fresh) \(without) \(with)")
        #expect(with < 5 * fresh * 13 / 10, "\(fresh) \(without) \(with)")
        // The cost of the rebuilds stays in proportion to the moves.
        #expect(rebuilds == 30_000 / 4_097)
    }
}
