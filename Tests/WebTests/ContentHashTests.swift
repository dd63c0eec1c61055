// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Web

@Suite("The hash of answers", .inShortTurn, .timeLimit(.minutes(20)))
struct ContentHashTests {
    private let hash = ContentHash(seed: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210))

    @Test("each bit counts, wherever it is")
    func bits() {
        for count in [1, 7, 8, 15, 16, 17, 31, 32, 33, 100] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            var seen: Set<UInt64> = [hash.hash(bytes)]
            for place in 0..<count {
                for bit in 0..<8 {
                    var other = bytes
                    other[place] ^= 1 << UInt8(bit)
                    seen.insert(hash.hash(other))
                }
            }
            #expect(seen.count == 1 + 8 * count)
        }
    }

    @Test("zeros at the end count, and blocks that change places")
    func shapes() {
        let zeros = (0...70).map { hash.hash([UInt8](repeating: 0, count: $0)) }
        #expect(Set(zeros).count == zeros.count)
        let (first, second) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        #expect(hash.hash(first + second) != hash.hash(second + first))
    }

    @Test("another seed gives other hashes; one process has one seed")
    func seeds() {
        let bytes = Array("the same".utf8)
        #expect(ContentHash(seed: (1, 2)).hash(bytes) != hash.hash(bytes))
        #expect(EntityTag.content(bytes) == EntityTag.content(bytes))
        #expect(EntityTag.content(bytes) != EntityTag.content(bytes + [0]))
        let tag = EntityTag.content([])
        #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\"") && tag.utf8.count == 20)
    }
}
