// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import QueryService

@Suite("How many requests of strangers are answered", .computing)
struct StrangerPaceTests {
    @Test("some at once, then so many a second, for each address, and never more at once after a rest")
    func pace() {
        var pace = StrangerPace()
        func taken(_ address: String, _ tries: Int, at now: UInt64) -> Int {
            (0..<tries).reduce(0) { sum, _ in sum + (pace.takes(address, rate: 10, now: now) ? 1 : 0) }
        }
        #expect(taken("10.0.0.1", 1_000, at: 5_000) == 64)
        #expect(taken("10.0.0.1", 1_000, at: 5_099) == 0)
        #expect(taken("10.0.0.1", 1_000, at: 6_099) == 10)
        #expect(taken("10.0.0.2", 1_000, at: 6_099) == 64)
        #expect(taken("10.0.0.1", 1_000, at: 900_000) == 64)
        // A clock that was set back gives nothing.
        #expect(taken("10.0.0.1", 1_000, at: 0) == 0)
    }

    @Test("addresses without end do not fill memory")
    func bound() {
        var pace = StrangerPace()
        for number in 0..<100_000 {
            let isTaken = pace.takes("\(number)", rate: 10, now: UInt64(number))
            #expect(isTaken)
            #expect(pace.entries <= 10_000)
        }
    }
}
