// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Web

@Suite("The tags of answers", .inShortTurn)
struct EntityTagTests {
    @Test("each bit counts, wherever it is")
    func bits() {
        for count in [1, 7, 8, 15, 16, 17, 31, 32, 33, 100] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            var seen: Set<String> = [EntityTag.content(bytes)]
            for place in 0..<count {
                for bit in 0..<8 {
                    var other = bytes
                    other[place] ^= 1 << UInt8(bit)
                    seen.insert(EntityTag.content(other))
                }
            }
            #expect(seen.count == 1 + 8 * count)
        }
    }

    @Test("zeros at the end count, and blocks that change places")
    func shapes() {
        let zeros = (0...70).map { EntityTag.content([UInt8](repeating: 0, count: $0)) }
        #expect(Set(zeros).count == zeros.count)
        let (first, second) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        #expect(EntityTag.content(first + second) != EntityTag.content(second + first))
    }

    @Test("one process has one seed, and another seed gives another tag")
    func seeds() {
        let bytes = Array("the same".utf8)
        #expect(EntityTag.content(bytes) == EntityTag.content(bytes, seed: EntityTag.seed))
        #expect(EntityTag.content(bytes) != EntityTag.content(bytes, seed: EntityTag.seed ^ 1))
        #expect(EntityTag.content(bytes) != EntityTag.content(bytes + [0]))
        let tag = EntityTag.content([])
        #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\"") && tag.utf8.count == 20)
    }
}
