// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import TestTurns
import Testing

@Suite("Relays and their subscribers over bad networks", .computing(minutes: 30))
struct RelaySimulationTests {
    static func run(
        _ seed: UInt64, subscribers: Int, firstNumber: @escaping @Sendable () -> UInt64 = { FeedNumbering.ofOwn() }
    ) -> RelaySimulation {
        var simulation = RelaySimulation(seed: seed, subscribers: subscribers, firstNumber: firstNumber)
        for _ in 0..<300 { simulation.step() }
        simulation.settle()
        return simulation
    }

    /// WAYMARK_RELAY_SEED=n replays one seed, WAYMARK_RELAY_SEEDS=n tries this many, from WAYMARK_RELAY_FIRST on.
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment["WAYMARK_RELAY_\(name)"].flatMap(UInt64.init)
    }

    /// A hundred subscribers in each run: with 10,000 seeds a million.
    @Test("through loss, restarts, moves and rollbacks: every change once and in order, or an explicit end")
    func everySeed() throws {
        if let seed = Self.number("SEED") {
            #expect(Self.run(seed, subscribers: 100).problem == nil)
            return
        }
        let first = Self.number("FIRST") ?? 0
        let seeds = Self.number("SEEDS") ?? 40
        var (ended, followed, changes, byRelays, passedOn) = (0, 0, 0, 0, 0)
        for seed in first..<first + seeds {
            let simulation = Self.run(seed, subscribers: 100)
            if let problem = simulation.problem {
                Issue.record("\(problem); replay: WAYMARK_RELAY_SEED=\(seed) swift test --filter RelaySimulationTests")
                return
            }
            ended += simulation.subscribers.count { $0.hasEnded }
            followed += simulation.subscribers.count { !$0.hasEnded }
            changes += simulation.subscribers.reduce(0) { $0 + $1.received.count }
            byRelays += simulation.answeredByRelays
            passedOn += simulation.passedOn
        }
        print(
            "relays: \(seeds) seeds, \(ended + followed) subscribers, \(ended) of them ended, \(changes) changes handed on, "
                + "\(byRelays) questions answered by relays, \(passedOn) by storage")
        // Both kinds of ends and of answers must occur.
        #expect(ended > 0 && followed > ended)
        #expect(byRelays > 0 && passedOn > 0)
    }

    @Test("a relay that counts from the same number after each start loses changes, and the simulation finds it")
    func sameNumbers() {
        #expect((0..<40).contains { Self.run($0, subscribers: 100, firstNumber: { 0 }).problem != nil })
    }
}
