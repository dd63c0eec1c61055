// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestTurns
import Testing

@Suite("Time-ordered ids", .computing)
struct UUIDv7Tests {
    @Test("text and bytes come back as they were")
    func roundTrip() throws {
        let text = "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5"
        let id = try #require(UUIDv7(text))
        #expect(id.description == text)
        #expect(UUIDv7(bytes: id.bytes) == id)
        // Whatever holds them.
        #expect(UUIDv7(bytes: id.bytes.lazy.map(\.self)) == id)
        #expect(UUIDv7(bytes: ([1] + id.bytes + [2])[1...16]) == id)
        #expect(UUIDv7(bytes: id.bytes + [0]) == nil && UUIDv7(bytes: id.bytes.dropLast()) == nil)
        #expect(UUIDv7(text.uppercased()) == id)
        #expect(UUIDv7(text.replacing("-", with: "")) == id)
    }

    @Test(
        "what is no id is none",
        arguments: [
            "", "01933c6e", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7eg", "01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e５",
            "01933c6e7f3a-7c21-9b0e-2f6d-8a41c7e5", String(repeating: "0", count: 33),
        ])
    func malformed(text: String) {
        #expect(UUIDv7(text) == nil)
    }

    @Test("they only grow: within a millisecond, when the clock steps back, and after a restart")
    func grow() {
        var generator = UUIDv7Generator()
        var last = generator.next(now: 1_000)
        for now in [UInt64](repeating: 1_000, count: 10_000) + [5, 1_001, 2_000] {
            let id = generator.next(now: now)
            #expect(id > last)
            last = id
        }
        var restarted = UUIDv7Generator()
        restarted.resume(after: last)
        #expect(restarted.next(now: 7) > last)
    }

    @Test("no two share their random half, also beyond what is drawn at once")
    func random() {
        var generator = UUIDv7Generator()
        var other = UUIDv7Generator()
        var halves: Set<UInt64> = []
        var bits: UInt64 = 0
        for _ in 0..<1_000 {
            let id = generator.next(now: 1)
            bits |= id.low
            halves.insert(id.low)
            halves.insert(other.next(now: 1).low)
        }
        #expect(halves.count == 2_000)
        #expect(bits == 0xbfff_ffff_ffff_ffff)
    }

    @Test("version and variant are those of RFC 9562")
    func version() {
        var generator = UUIDv7Generator()
        for now in 0..<100 as Range<UInt64> {
            let id = generator.next(now: 1_700_000_000_000 + now)
            #expect(id.high >> 12 & 0xf == 7)
            #expect(id.low >> 62 == 0b10)
            #expect(id.high >> 16 == 1_700_000_000_000 + now)
        }
    }
}
