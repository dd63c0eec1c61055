// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("When a request is sent again, and how it ends", .inShortTurn)
struct ResendPolicyTests {
    @Test("the pause doubles with each copy, three times, and then stays")
    func pauses() {
        let policy = ResendPolicy()
        #expect((0...7).map { policy.pause(after: $0) } == [1_000, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000])
        #expect(policy.pause(after: .max) == 8_000)
        let other = ResendPolicy(pause: 10, doublings: 1)
        #expect((1...3).map { other.pause(after: $0) } == [10, 20, 20])
    }

    @Test("a copy is due when the pause after the latest one is over, and not before it was sent")
    func due() {
        let policy = ResendPolicy()
        #expect(!policy.isDue(copies: 1, sentAt: 5_000, at: 5_999))
        #expect(policy.isDue(copies: 1, sentAt: 5_000, at: 6_000))
        #expect(!policy.isDue(copies: 3, sentAt: 5_000, at: 8_999))
        #expect(policy.isDue(copies: 3, sentAt: 5_000, at: 9_000))
        #expect(!policy.isDue(copies: 1, sentAt: 5_000, at: 0))
    }

    @Test("a request is over at its deadline; without a copy nothing was done, with one that is unknown")
    func endings() {
        let policy = ResendPolicy()
        #expect(!policy.isOver(deadline: 100, at: 99) && policy.isOver(deadline: 100, at: 100))
        guard case .notConnected = policy.ending(copies: 0), case .timedOut = policy.ending(copies: 1),
            case .timedOut = policy.ending(copies: 9)
        else {
            Issue.record("\(policy.ending(copies: 0)) \(policy.ending(copies: 1))")
            return
        }
    }
}
