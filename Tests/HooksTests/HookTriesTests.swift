// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Hooks

@Suite("The pauses between tries", .inShortTurn)
struct HookTriesTests {
    @Test
    func doubleUpToAnHour() {
        var tries = HookTries(since: 0, HookOptions())
        let pauses = (0..<14).compactMap { _ in tries.failed(at: 1_000, asking: nil, random: 0) }
        #expect(pauses.prefix(3) == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(pauses.count == 14 && pauses.last == .seconds(1_800))
        #expect(tries.since == 1_000)
    }

    @Test
    func heedTheReceiverForAnHourAtMost() {
        var tries = HookTries(since: 0, HookOptions())
        #expect(tries.failed(at: 1, asking: .seconds(90), random: 0.5) == .seconds(90))
        #expect(tries.failed(at: 1, asking: .seconds(90_000), random: 0.5) == .seconds(3_600))
        #expect(tries.failed(at: 1, asking: .zero, random: 0.5) == .seconds(3))
    }

    @Test
    func endAfterADay() {
        var tries = HookTries(since: 5_000, HookOptions())
        #expect(tries.failed(at: 5_000 + 86_399_999, asking: nil, random: 0) != nil)
        #expect(tries.failed(at: 5_000 + 86_400_000, asking: nil, random: 0) == nil)
        // The clock was set back.
        #expect(tries.failed(at: 1, asking: nil, random: 0) != nil)
    }
}
