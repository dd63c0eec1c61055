// SPDX-License-Identifier: Apache-2.0

import LoadTest
import TestTurns
import Testing

@Suite("Looking for the knee", .inShortTurn)
struct RampTests {
    @Test("finds it to within the closeness", arguments: [3.0, 700, 12_345, 900_000])
    func finds(knee: Double) {
        var ramp = Ramp(from: 1_000)
        var tries = 0
        while let rate = ramp.next {
            tries += 1
            ramp.tried(holds: rate <= knee)
        }
        let best = ramp.best ?? 0
        #expect(best <= knee && best >= knee / 1.05)
        #expect(tries < 60)
    }

    @Test("one hiccup is not the limit")
    func hiccup() {
        var ramp = Ramp(from: 1_000)
        var tries = 0
        while let rate = ramp.next {
            tries += 1
            ramp.tried(holds: tries == 2 ? false : rate <= 5_000)
        }
        #expect((ramp.best ?? 0) > 4_700)
    }

    @Test("ends where nothing holds")
    func never() {
        var ramp = Ramp(from: 1_000)
        while ramp.next != nil { ramp.tried(holds: false) }
        #expect(ramp.best == nil)
    }
}
