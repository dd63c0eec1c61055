// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("How long a request was on its way", .inShortTurn)
struct RequestAgeTests {
    @Test("the age is the time beyond the fastest request of the connection, whatever the two clocks show")
    func age() {
        var age = RequestAge()
        #expect(age.age(sent: 5_000_000, now: 1_000) == 0)
        #expect(age.age(sent: 5_000_010, now: 1_310) == 300)
        #expect(age.age(sent: 5_000_400, now: 1_401) == 1)
        // A faster request becomes the new base.
        #expect(age.age(sent: 5_000_500, now: 1_495) == 0)
        #expect(age.age(sent: 5_000_600, now: 1_600) == 5)
    }

    @Test("without the sender's time there is no age")
    func untold() {
        var age = RequestAge()
        #expect(age.age(sent: 0, now: 99_999) == 0)
    }

    @Test("clocks may drift apart: the base is at most two windows old")
    func drift() {
        var age = RequestAge()
        var worst: UInt64 = 0
        for second in 1...100_000 as ClosedRange<UInt64> {
            // The sender's clock loses 100 ms in 1,000 s.
            worst = max(worst, age.age(sent: second * 1_000 - second / 10, now: second * 1_000))
        }
        #expect(worst < 20)
    }
}
