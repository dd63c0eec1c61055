// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("When a follower acts because nothing is received", .computing)
struct FeedPulseTests {
    /// With a patience of 3,000 and waits of 800.
    private static func pulse() -> FeedPulse {
        var timing = FeedFollower.Timing()
        (timing.patience, timing.wait) = (3_000, 800)
        return FeedPulse(timing, now: 10_000)
    }

    @Test("after its patience it tries again, and after each further one, until it hears something")
    func patience() {
        var pulse = Self.pulse()
        var tries: [UInt64] = []
        for now in stride(from: 10_000, to: 20_000, by: 500) as StrideTo<UInt64> where pulse.triesAgain(now) {
            tries.append(now)
        }
        #expect(tries == [13_500, 17_000])
        #expect(pulse.silence(20_000) == 10_000)
        pulse.heard(20_000)
        let isEarly = pulse.triesAgain(23_000)
        #expect(!isEarly && pulse.silence(20_010) == 10)
    }

    @Test("pulls wait only while nothing is received, and a page tells whether its pull has waited")
    func waits() {
        var pulse = Self.pulse()
        #expect(pulse.pulls(11_000) == 0)
        let early = pulse.page(isLast: false, 11_399)
        #expect(!early)
        pulse.lost()
        #expect(pulse.pulls(12_000) == 800)
        let late = pulse.page(isLast: false, 12_400)
        #expect(late)
        pulse.heard(12_500)
        #expect(pulse.pulls(13_000) == 0)
    }

    @Test(
        "a page to the end of the log counts as everything only while nothing is received; a page is news, no message")
    func end() {
        var pulse = Self.pulse()
        _ = pulse.page(isLast: true, 12_000)
        #expect(!pulse.hasReadAll && pulse.age(12_100) == 100 && pulse.silence(12_100) == 2_100)
        pulse.lost()
        #expect(pulse.hasReadAll)
        _ = pulse.page(isLast: false, 12_200)
        #expect(!pulse.hasReadAll)
    }
}
