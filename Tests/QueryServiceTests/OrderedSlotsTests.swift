// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import QueryService

@Suite("Slots in sorted order", .computing)
struct OrderedSlotsTests {
    /// A list and a plain sorted array. The key of a slot is a number that the test draws, then the slot.
    private struct World {
        struct Key: Comparable {
            var number: UInt64
            var slot: UInt32

            static func < (left: Self, right: Self) -> Bool {
                (left.number, left.slot) < (right.number, right.slot)
            }
        }

        var keys: [UInt32: Key] = [:]
        var model: [UInt32] = []
        var slots = OrderedSlots<Key>()

        func key(_ slot: UInt32) -> Key { keys[slot] ?? Key(number: 0, slot: slot) }

        private func place(_ key: Key) -> Int { model.firstIndex { self.key($0) >= key } ?? model.count }

        mutating func fill(_ numbers: [UInt64]) {
            for (slot, number) in numbers.enumerated() {
                keys[UInt32(slot)] = Key(number: number, slot: UInt32(slot))
            }
            model = keys.keys.sorted { key($0) < key($1) }
            slots = OrderedSlots(sorted: model, key)
        }

        mutating func insert(_ slot: UInt32, _ number: UInt64) {
            let key = Key(number: number, slot: slot)
            keys[slot] = key
            model.insert(slot, at: place(key))
            let keys = keys
            slots.insert(slot, key, { (keys[$0] ?? key) < key }, { keys[$0] ?? key })
        }

        mutating func remove(_ slot: UInt32) {
            guard let key = keys[slot] else {
                return slots.remove(slot, Key(number: UInt64(slot), slot: slot))
            }
            model.remove(at: place(key))
            slots.remove(slot, key)
            keys[slot] = nil
        }

        func expectSame() {
            var (forward, backward): ([UInt32], [UInt32]) = ([], [])
            slots.forward(from: slots.start) {
                forward.append($0)
                return true
            }
            slots.backward(from: slots.end) {
                backward.append($0)
                return true
            }
            #expect(forward == model && backward == model.reversed())
        }

        /// Compares what is before and after a key, which need not be the key of a slot.
        func expectSame(around key: Key) {
            let start = slots.first(after: key, self.key)
            var (after, before): ([UInt32], [UInt32]) = ([], [])
            slots.forward(from: start) {
                after.append($0)
                return after.count < 300
            }
            slots.backward(from: start) {
                before.append($0)
                return before.count < 300
            }
            #expect(after == Array(model.filter { self.key($0) > key }.prefix(300)))
            #expect(before == Array(model.filter { self.key($0) <= key }.reversed().prefix(300)))
        }
    }

    /// - Parameter numbers: how many different ones there are; with few, many keys differ only in the slot.
    @Test(
        "equals a sorted array after any insertions and removals",
        arguments: [(0, 1_000_000), (300, 5), (1_500, 100), (1_500, 1_000_000)] as [(Int, UInt64)])
    func model(size: Int, numbers: UInt64) {
        var random = SplitMix64(seed: UInt64(size))
        var world = World()
        world.fill((0..<size).map { _ in random.next() % numbers })
        for step in 0..<2_500 {
            let slot = UInt32(random.next() % 2_000)
            // First the list grows, then it shrinks.
            if random.next() % 5 < (step < 800 ? 1 : 4) {
                world.remove(slot)
            } else if world.keys[slot] == nil {
                world.insert(slot, random.next() % numbers)
            }
            if step % 500 == 0 { world.expectSame() }
        }
        world.expectSame()
        for _ in 0..<20 {
            let slot = UInt32(random.next() % 2_000)
            world.expectSame(around: World.Key(number: random.next() % numbers, slot: slot))
            world.expectSame(around: world.key(slot))
        }
    }

    @Test("the greatest key leaves, its block is filled by others, and it comes back")
    func returningEnd() {
        var world = World()
        world.fill([1_000_000])
        world.remove(0)
        world.insert(0, 1_000_000)
        for slot in 1..<256 as Range<UInt32> { world.insert(slot, UInt64(slot)) }
        world.remove(0)
        world.insert(256, 500)
        world.insert(0, 1_000_000)
        world.expectSame()
        world.remove(0)
        world.expectSame()
        for slot in 1...256 as ClosedRange<UInt32> { world.remove(slot) }
        world.expectSame()
    }

    @Test("a list in which everything moves to the end, as in the order of revisions")
    func moving() {
        var random = SplitMix64(seed: 9)
        var world = World()
        world.fill((0..<1_500).map { UInt64($0) })
        for step in 0..<2_500 as Range<UInt64> {
            let slot = UInt32(random.next() % 1_500)
            world.remove(slot)
            world.insert(slot, 2_000 + step)
        }
        world.expectSame()
        for slot in 0..<1_500 as Range<UInt32> { world.remove(slot) }
        world.expectSame()
        world.insert(7, 1)
        world.expectSame()
    }
}
