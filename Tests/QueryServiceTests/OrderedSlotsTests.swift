// SPDX-License-Identifier: Apache-2.0

import TestSupport
import TestTurns
import Testing

@testable import QueryService

@Suite("Slots in sorted order", .computing, .timeLimit(.minutes(5)))
struct OrderedSlotsTests {
    private func all(_ slots: OrderedSlots) -> [UInt32] {
        var found: [UInt32] = []
        slots.forward(from: slots.start) {
            found.append($0)
            return true
        }
        return found
    }

    @Test("equals a sorted array after any insertions and removals", arguments: [0, 300, 3_000])
    func model(size: UInt32) {
        var random = SplitMix64(seed: UInt64(size))
        var model = Array(0..<size)
        var slots = OrderedSlots(sorted: model)
        for step in 0..<6_000 {
            let slot = UInt32(random.next() % 4_000)
            let place = model.firstIndex { $0 >= slot } ?? model.count
            let isThere = place < model.count && model[place] == slot
            if random.next() % 5 < (step < 3_000 ? 2 : 3) {
                #expect(slots.remove(slot, <) == isThere)
                if isThere { model.remove(at: place) }
            } else if !isThere {
                slots.insert(slot, <)
                model.insert(slot, at: place)
            }
            #expect(slots.count == model.count)
        }
        #expect(all(slots) == model)
        for slot in stride(from: UInt32(0), to: 4_100, by: 37) {
            let start = slots.first { $0 >= slot }
            var (after, before): ([UInt32], [UInt32]) = ([], [])
            let rest = slots.forward(from: start) {
                after.append($0)
                return after.count < 3
            }
            slots.backward(from: start) {
                before.append($0)
                return before.count < 3
            }
            #expect(after == Array(model.filter { $0 >= slot }.prefix(3)))
            #expect(before == Array(model.filter { $0 < slot }.reversed().prefix(3)))
            // The rest begins where the first part stopped.
            if let rest, after.count == 3 {
                var next: UInt32?
                slots.forward(from: rest) {
                    next = $0
                    return false
                }
                #expect(next == model.first { $0 > after[2] })
            }
        }
        #expect(all(OrderedSlots()) == [])
    }
}
