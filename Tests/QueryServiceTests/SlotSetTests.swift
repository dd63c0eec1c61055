// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import QueryService

@Suite("Sets of slots, and the record of changed slots", .computing)
struct SlotSetTests {
    @Test("equals a plain set after any insertions and removals, and goes on where it stopped")
    func model() {
        var random = SplitMix64(seed: 4)
        var (set, model) = (SlotSet(), Set<UInt32>())
        // Dense, scattered, and at the ends of words and numbers.
        let slots: [UInt32] =
            Array(0..<200) + (0..<300).map { _ in UInt32(random.next() % 1_000_000) }
            + [63, 64, 127, 128, .max, .max - 1, .max - 63, .max - 64]
        for step in 0..<6_000 {
            let slot = slots[Int(random.next() % UInt64(slots.count))]
            if random.next() % 5 < (step < 3_000 ? 2 : 4) {
                set.remove(slot)
                model.remove(slot)
            } else {
                set.insert(slot)
                model.insert(slot)
            }
            #expect(set.count == model.count)
            guard step % 100 == 0 else { continue }
            let wanted = model.sorted()
            #expect(listed(set, step: .max) == wanted && listed(set, step: 7) == wanted)
            let from = slots[Int(random.next() % UInt64(slots.count))]
            var first: UInt32?
            _ = set.forward(from: from) {
                first = $0
                return false
            }
            #expect(first == wanted.first { $0 >= from })
        }
    }

    @Test("is made of few and of many slots in any order")
    func made() {
        var random = SplitMix64(seed: 8)
        for count in [0, 1, 40, 3_000] {
            let slots = (0..<count).map { _ in UInt32(random.next() % 9_000) }
            let set = SlotSet(slots, below: 9_000)
            #expect(listed(set, step: .max) == Set(slots).sorted() && set.count == Set(slots).count)
        }
    }

    /// Everything, with a pause after each `step` slots.
    private func listed(_ set: SlotSet, step: Int) -> [UInt32] {
        var (found, place): ([UInt32], UInt32?) = ([], 0)
        while let next = place, found.count < 10_000 {
            var rest = step
            place = set.forward(from: next) {
                found.append($0)
                rest -= 1
                return rest > 0
            }
        }
        return found
    }

    @Test("a union holds the slots of both, each once")
    func union() {
        var random = SplitMix64(seed: 6)
        for size in [0, 1, 5, 300] {
            var (sets, model) = ([SlotSet(), SlotSet()], Set<UInt32>())
            for _ in 0..<size {
                let slot =
                    random.next() % 4 == 0 ? UInt32.max - UInt32(random.next() % 70) : UInt32(random.next() % 900)
                sets[Int(random.next() % 2)].insert(slot)
                model.insert(slot)
            }
            sets[1].insert(7)
            model.insert(7)
            let union = sets[0].union(sets[1])
            #expect(listed(union, step: .max) == model.sorted() && union.count == model.count)
            #expect(listed(sets[1].union(sets[0]), step: 3) == model.sorted())
        }
    }

    @Test("changed slots are recorded while scans run; a scan that reads too few of them learns that")
    func touched() {
        var touched = TouchedSlots()
        touched.add(1)
        let first = touched.begin()
        #expect(touched.after(first).map(Array.init) == [])
        touched.add(2)
        let second = touched.begin()
        touched.add(3)
        #expect(touched.after(first).map(Array.init) == [2, 3])
        #expect(touched.after(second).map(Array.init) == [3])
        touched.end()
        // One scan after the other, always overlapping: the record stays bounded.
        var (last, most) = (touched.begin(), 0)
        for slot in 0..<400_000 as Range<UInt32> {
            touched.add(slot)
            if slot % 1_000 == 999 {
                #expect(touched.after(last)?.count == 1_000)
                touched.end()
                last = touched.begin()
            }
            most = max(most, touched.slots.count)
        }
        #expect(most <= 2 * TouchedSlots.most)
        #expect(touched.after(first) == nil)
        touched.end()
        touched.end()
        #expect(touched.slots.count == 0)
    }
}
