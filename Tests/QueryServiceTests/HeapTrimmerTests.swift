// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import QueryService

@Suite("When memory is returned to the system", .inShortTurn)
struct HeapTrimmerTests {
    @Test("once after a rush of requests, when the rush is over")
    func requests() {
        var trimmer = HeapTrimmer()
        trimmer.look(received: 5_000, waiting: 0)
        #expect(trimmer.times == 0)
        // Still too many for the rush to be over.
        trimmer.look(received: 5_501, waiting: 0)
        #expect(trimmer.times == 0)
        trimmer.look(received: 6_001, waiting: 0)
        #expect(trimmer.times == 1)
        trimmer.look(received: 6_002, waiting: 0)
        #expect(trimmer.times == 1)
    }

    @Test("few requests with many bytes are a rush too, until the bytes are gone")
    func bytes() {
        var trimmer = HeapTrimmer()
        let heavy: UInt64 = 16 * 1_024 * 1_024
        for received in 1...3 as ClosedRange<UInt64> { trimmer.look(received: received, waiting: heavy) }
        #expect(trimmer.times == 0)
        trimmer.look(received: 3, waiting: heavy - 1)
        #expect(trimmer.times == 1)
    }

    @Test("not where there was no rush")
    func calm() {
        var trimmer = HeapTrimmer()
        for second in 1...10 as ClosedRange<UInt64> { trimmer.look(received: second * 4_999, waiting: 1_000) }
        trimmer.look(received: 49_990, waiting: 0)
        #expect(trimmer.times == 0)
    }
}
