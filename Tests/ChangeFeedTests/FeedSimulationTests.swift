// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@Suite("A feed over a bad network", .computing)
struct FeedSimulationTests {
    /// Nil if the run was correct.
    static func run(_ seed: UInt64) throws -> (problem: String?, hasEnded: Bool) {
        var simulation = try FeedSimulation(seed: seed)
        for _ in 0..<300 { simulation.step() }
        simulation.settle()
        return (simulation.problem, simulation.end != nil)
    }

    @Test("through loss, delay, repetition, restarts and rollbacks: every change once and in order, or an explicit end")
    func everySeed() throws {
        // WAYMARK_SEED=n replays one seed, WAYMARK_SEEDS=n tries this many.
        let environment = ProcessInfo.processInfo.environment
        let seeds = environment["WAYMARK_SEEDS"].flatMap(UInt64.init) ?? 10_000
        if let seed = environment["WAYMARK_SEED"].flatMap(UInt64.init) {
            #expect(try Self.run(seed).problem == nil)
            return
        }
        var ended = 0
        for seed in 0..<seeds {
            let (problem, hasEnded) = try Self.run(seed)
            if hasEnded { ended += 1 }
            guard let problem else { continue }
            Issue.record("\(problem); replay: WAYMARK_SEED=\(seed) swift test --filter FeedSimulationTests")
            return
        }
        // Both kinds of runs must occur: those that end and those that do not.
        #expect((seeds / 10..<seeds * 9 / 10).contains(UInt64(ended)), "\(ended)")
    }
}
