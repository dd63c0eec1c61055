// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import Geodesy

@Suite("The input of a tree", .computing)
struct TreeInputTests {
    @Test(
        "a tree of points that came one by one equals one that is made at once", arguments: [0, 1, 63, 64, 65, 5_000])
    func same(count: Int) throws {
        var random = SplitMix64(seed: 9)
        let places = (0..<count).map { _ in random.anywhere() }
        let keys = places.indices.map { PointKey(high: random.next(), low: UInt64($0)) }
        var input = SpatialTreeInput()
        // Half of them are announced, so that both kinds of growth are used.
        input.reserve(count / 2)
        for (key, place) in zip(keys, places) {
            let isNew = input.append(key, at: SpatialPlace(place))
            #expect(isNew)
        }
        if count > 0 {
            let isNew = input.append(keys[0], at: SpatialPlace(places[count - 1]))
            #expect(!isNew)
        }
        let index = SpatialIndex(SpatialTree(input))
        let other = SpatialIndex(SpatialTree(coordinates: places, keys: keys))
        #expect(index.count == count && other.count == count)
        for (number, key) in keys.enumerated() {
            #expect(index[key]?.payload == UInt32(number) && index[key]?.coordinate == places[number])
        }
        for _ in 0..<20 {
            let here = random.anywhere()
            let (found, expected) = (index.nearest(to: here, limit: 10), other.nearest(to: here, limit: 10))
            #expect(found.map(\.key) == expected.map(\.key) && found.count == min(10, count))
        }
    }

    @Test("room that is asked for again and again is doubled, and what is not needed is given back")
    func room() {
        var input = SpatialTreeInput()
        var tables = 0
        for number in 0..<20_000 as Range<UInt64> {
            let room = input.capacity
            // As when landmarks are added while their number is reported.
            input.reserve(1_000 + Int(number))
            tables += input.capacity == room ? 0 : 1
            _ = input.append(PointKey(high: number, low: 0), at: SpatialPlace(Coordinate(valid: 0, 0)))
        }
        #expect(tables <= 6)
        let table = input.table
        #expect(table.capacity < 22_000)
        #expect(table.position(of: PointKey(high: 7, low: 0)) { input.keys[$0] } == 7)
    }
}
