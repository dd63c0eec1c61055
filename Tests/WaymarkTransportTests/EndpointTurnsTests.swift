// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("The turns of several endpoints", .inShortTurn)
struct EndpointTurnsTests {
    /// Lets time pass in steps of a tick until there is something to do.
    private static func next(_ turns: EndpointTurns, from now: inout UInt64) -> EndpointTurns.Action? {
        let end = now + 10_000
        while now < end {
            if let action = turns.look(now) { return action }
            now += 50
        }
        return nil
    }

    @Test("one that does not answer in time is left for the next; a round without any is followed by a pause")
    func rounds() {
        var now: UInt64 = 1_000
        var turns = EndpointTurns(count: 2, now: now)
        #expect(Self.next(turns, from: &now) == .moveOn)
        #expect(now == 1_000 + EndpointTurns.attempt)
        turns.failed(now)
        #expect(turns.current == 1 && !turns.isRoundOver)
        #expect(turns.look(now) == .open)
        turns.opened(now)
        turns.failed(now)
        #expect(turns.current == 0 && turns.isRoundOver && turns.look(now) == nil)
        #expect(Self.next(turns, from: &now) == .open)
        #expect(now == 2_000 + EndpointTurns.pause)
    }

    @Test("one that serves is greeted when it is quiet, and left only when the greeting has no answer")
    func silence() {
        var now: UInt64 = 0
        var turns = EndpointTurns(count: 2, now: now)
        let begins = turns.welcomed(now)
        #expect(begins && turns.isServing)
        for _ in 0..<3 {
            let quiet = now
            #expect(Self.next(turns, from: &now) == .greet)
            #expect(now - quiet == EndpointTurns.quiet)
            turns.greeted(now)
            now += 900
            #expect(turns.look(now) == nil)
            let again = turns.welcomed(now)
            #expect(!again)
        }
        now += 500
        turns.greeted(now)
        #expect(Self.next(turns, from: &now) == .moveOn)
        turns.failed(now)
        #expect(!turns.isServing && turns.hasServed)
    }

    @Test("a process that was stopped itself greets before it leaves anything")
    func stopped() {
        var turns = EndpointTurns(count: 2, now: 0)
        _ = turns.welcomed(0)
        #expect(turns.look(3_600_000) == .greet)
        turns.greeted(3_600_000)
        #expect(turns.look(3_600_050) == nil)
    }
}
