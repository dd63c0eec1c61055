// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import WaymarkTransport

@Suite("Failover between several endpoints", .inShortTurn)
struct EndpointFailoverTests {
    /// Lets time pass in steps of a tick until there is something to do.
    private static func next(_ failover: EndpointFailover, from now: inout UInt64) -> EndpointFailover.Action? {
        let end = now + 10_000
        while now < end {
            if let action = failover.look(now) { return action }
            now += 50
        }
        return nil
    }

    @Test("one that does not answer in time is left for the next; a round without any is followed by a pause")
    func rounds() {
        var now: UInt64 = 1_000
        var failover = EndpointFailover(count: 2, now: now)
        #expect(Self.next(failover, from: &now) == .moveOn)
        #expect(now == 1_000 + EndpointFailover.attempt)
        failover.failed(now)
        #expect(failover.current == 1 && !failover.isRoundOver)
        #expect(failover.look(now) == .open)
        failover.opened(now)
        failover.failed(now)
        #expect(failover.current == 0 && failover.isRoundOver && failover.look(now) == nil)
        #expect(Self.next(failover, from: &now) == .open)
        #expect(now == 2_000 + EndpointFailover.pause)
    }

    @Test("one that serves is greeted when it is quiet, and left only when the greeting has no answer")
    func silence() {
        var now: UInt64 = 0
        var failover = EndpointFailover(count: 2, now: now)
        let begins = failover.welcomed(now)
        #expect(begins && failover.isServing)
        for _ in 0..<3 {
            let quiet = now
            #expect(Self.next(failover, from: &now) == .greet)
            #expect(now - quiet == EndpointFailover.quiet)
            failover.greeted(now)
            now += 900
            #expect(failover.look(now) == nil)
            let again = failover.welcomed(now)
            #expect(!again)
        }
        now += 500
        failover.greeted(now)
        #expect(Self.next(failover, from: &now) == .moveOn)
        failover.failed(now)
        #expect(!failover.isServing && failover.hasServed)
    }

    @Test("a process that was stopped itself greets before it leaves anything")
    func stopped() {
        var failover = EndpointFailover(count: 2, now: 0)
        _ = failover.welcomed(0)
        #expect(failover.look(3_600_000) == .greet)
        failover.greeted(3_600_000)
        #expect(failover.look(3_600_050) == nil)
    }
}
