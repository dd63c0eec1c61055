// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("Changes and rebuilds", .computing)
struct ChangesTests {
    /// Compares the contents and the answers of an index with brute force.
    private func compare(
        _ index: SpatialIndex, _ brute: BruteForce, _ population: Population, _ random: inout SplitMix64
    ) {
        #expect(index.count == brute.points.count)
        for _ in 0..<3 {
            let place = population.question(&random)
            #expect(index.nearest(to: place, limit: 15) == brute.nearest(to: place, limit: 15))
            let far = brute.nearest(to: place, limit: .max).randomElement(using: &random)
            let after = far.map { ($0.distance, $0.key) }
            #expect(
                index.nearest(to: place, limit: 10, after: after) { $0 & 1 == 0 }
                    == brute.nearest(to: place, limit: 10, after: after) { $0 & 1 == 0 })
            let cap = SurfaceCap(centre: place, radius: far.map(\.distance) ?? 1)
            let held = brute.points.values.filter { cap.mayContain(SurfacePoint(SpatialPlace($0.coordinate))) }
            #expect(index.payloads(in: cap, atMost: held.count)?.sorted() == held.map(\.payload).sorted())
            #expect(held.isEmpty || index.payloads(in: cap, atMost: held.count - 1) == nil)
        }
    }

    /// Rebuilds without changes in between.
    private func renew(_ index: inout SpatialIndex) {
        let rebuilt = index.beginRebuild().build()
        let adopted = index.adopt(rebuilt)
        #expect(adopted)
    }

    @Test("inserts, updates, removals and rebuilds in any order", arguments: Population.allCases)
    func anyOrder(population: Population) {
        var random = SplitMix64(seed: 11)
        var brute = BruteForce()
        // Few keys, so that most changes meet a present or a removed point.
        let keys = (0..<300).map { _ in random.key() }
        for key in keys.prefix(150) { brute.insert(key, at: population.place(&random), payload: 0) }
        var index = SpatialIndex(brute)
        var underWay: SpatialRebuild?
        for step in 0..<3000 {
            let key = keys[Int(random.next() % 300)]
            switch random.next() % 100 {
            case 0..<50:
                let place = population.place(&random)
                index.insert(key, at: place, payload: UInt32(step))
                brute.insert(key, at: place, payload: UInt32(step))
            case 50..<95:
                let (removed, expected) = (index.remove(key), brute.remove(key))
                #expect(removed == expected)
            case 95..<97 where underWay == nil:
                underWay = index.beginRebuild()
            default:
                guard let rebuild = underWay else { break }
                let adopted1 = index.adopt(rebuild.build())
                #expect(adopted1)
                underWay = nil
            }
            #expect((index[key] != nil) == (brute.points[key] != nil))
            #expect(index[key]?.coordinate == brute.points[key]?.coordinate)
            #expect(index[key]?.payload == brute.points[key]?.payload)
            if step % 50 == 0 { compare(index, brute, population, &random) }
        }
        compare(index, brute, population, &random)
    }

    @Test("every interleaving of one key's changes with a rebuild")
    func interleavings() {
        let key = PointKey(high: 1, low: 1)
        let places = [at(1, 1), at(2, 2), nil]
        // One step before the base, one before the snapshot, and two before the adoption; each step sets a place or
        // removes the point.
        for code in 0..<81 {
            let steps = [code % 3, code / 3 % 3, code / 9 % 3, code / 27].map { places[$0] }
            var index = SpatialIndex()
            func apply(_ step: Int) {
                if let place = steps[step] {
                    index.insert(key, at: place, payload: UInt32(step))
                } else {
                    index.remove(key)
                }
            }
            apply(0)
            renew(&index)
            apply(1)
            let rebuild = index.beginRebuild()
            apply(2)
            apply(3)
            let rows = index.nearest(to: at(0, 0), limit: 5)
            let rebuilt = rebuild.build()
            let adopted2 = index.adopt(rebuilt)
            #expect(adopted2)
            #expect(index.nearest(to: at(0, 0), limit: 5) == rows)
            #expect(index[key]?.coordinate == steps[3])
            #expect(index.count == (steps[3] == nil ? 0 : 1))
            // One more rebuild, so that the replayed changes are in a base too.
            renew(&index)
            #expect(index.nearest(to: at(0, 0), limit: 5) == rows)
        }
    }

    @Test("a superseded rebuild is refused, and changes nothing")
    func overtaken() {
        var index = SpatialIndex()
        let key = PointKey(high: 0, low: 7)
        let first = index.beginRebuild()
        index.insert(key, at: at(5, 5), payload: 1)
        let second = index.beginRebuild()
        let adopted3 = index.adopt(first.build())
        #expect(!adopted3)
        #expect(index[key] != nil)
        let adopted4 = index.adopt(second.build())
        #expect(adopted4)
        let adopted5 = index.adopt(second.build())
        #expect(!adopted5)
        #expect(index[key] != nil)
        #expect(index[key]?.payload == 1)
    }

    @Test("a rebuild is requested after many changes, or many at one spot, and not while one is under way")
    func asked() {
        var random = SplitMix64(seed: 13)
        let keys = (0..<12_000).map { _ in random.key() }
        var index = SpatialIndex(SpatialTree(coordinates: keys.map { _ in random.anywhere() }, keys: keys))
        for _ in 0..<2_048 { index.insert(random.key(), at: random.anywhere(), payload: 0) }
        for key in keys.prefix(2_048) { index.remove(key) }
        #expect(!index.needsRebuild)
        index.remove(keys[2_048])
        #expect(index.needsRebuild)
        let rebuild = index.beginRebuild()
        #expect(!index.needsRebuild)
        let adopted7 = index.adopt(rebuild.build())
        #expect(adopted7)
        #expect(!index.needsRebuild)
    }

    @Test("a thousand points at one spot request a rebuild, although they are few compared with the base")
    func oneSpot() {
        var random = SplitMix64(seed: 14)
        let keys = (0..<12_000).map { _ in random.key() }
        var index = SpatialIndex(SpatialTree(coordinates: keys.map { _ in random.anywhere() }, keys: keys))
        for _ in 0..<1024 { index.insert(random.key(), at: at(48.1, 11.5), payload: 0) }
        #expect(!index.needsRebuild)
        // A point that moves repeatedly at the spot counts as one.
        let mover = random.key()
        for step in 0..<100 {
            index.insert(mover, at: at(-20, Double(step) * 1e-5), payload: 0)
        }
        #expect(!index.needsRebuild)
        index.insert(random.key(), at: at(48.1, 11.5), payload: 0)
        #expect(index.needsRebuild)
        renew(&index)
        #expect(!index.needsRebuild)
    }

    @Test("a rebuild runs on another thread while the index is used")
    func elsewhere() async {
        var random = SplitMix64(seed: 17)
        var brute = BruteForce()
        for payload in 0..<UInt32(2000) { brute.insert(random.key(), at: random.anywhere(), payload: payload) }
        var index = SpatialIndex(brute)
        let rebuild = index.beginRebuild()
        async let rebuilt = rebuild.build()
        for (key, point) in brute.points.filter({ $0.value.payload < 500 }) {
            index.insert(key, at: random.anywhere(), payload: point.payload)
            brute.insert(key, at: index[key]?.coordinate ?? point.coordinate, payload: point.payload)
        }
        compare(index, brute, .everywhere, &random)
        let adopted8 = await index.adopt(rebuilt)
        #expect(adopted8)
        compare(index, brute, .everywhere, &random)
    }

    @Test("an equal insert is no change")
    func equalInsert() {
        var index = SpatialIndex()
        let key = PointKey(high: 0, low: 7)
        index.insert(key, at: at(5, 5), payload: 1)
        renew(&index)
        index.insert(key, at: at(5, 5), payload: 1)
        #expect(index.overlay.count == 0)
        #expect(index.count == 1)
    }
}
