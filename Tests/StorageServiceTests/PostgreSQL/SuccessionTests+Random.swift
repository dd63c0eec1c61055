// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQL
import TestPostgreSQL
import TestSupport
import TestTurns
import Testing

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests.SuccessionTests {
    @Test("at random, twelve times: each acknowledged batch is there once, and nothing of a replaced one")
    func random() throws {
        for seed: UInt64 in 1...12 { try Self.interleave(seed) }
    }

    /// One writes without a pause, others replace each other; some of them without ending the session of the last.
    private static func interleave(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let target = try TestedEngine.newServer()
        var writers = [try TrialWriter("0", target)]
        var working: [Background<Void>] = []
        for number in 1...5 {
            let (last, next) = (writers[number - 1], SplitMix64(seed: random.next()))
            working.append(Background { try Self.load(last, next) })
            usleep(UInt32(random.next() % 30_000))
            if random.next() % 2 == 0 { _ = try Self.replacing(target) }
            writers.append(try Self.successor("\(number)", target))
        }
        for work in working { try work.value() }
        try writers[5].add(3)
        let check = try TrialCheck(target)
        let attempts = writers.flatMap(\.attempts)
        check.check(attempts)
        #expect(check.head >= 3)
        try TrialCheck.repeatsAnswers(attempts, writers[5].engine)
        #expect(writers[..<5].allSatisfy { $0.engine.control.condition == .superseded })
        let published = writers.flatMap(\.published)
        #expect(Set(published).count == published.count, "seed \(seed): a revision was published twice")
    }

    /// Batches of all sizes, until this writer is told that it has been replaced.
    private static func load(_ writer: TrialWriter, _ random: SplitMix64) throws {
        var random = random
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            do {
                try writer.add(1 + Int(random.next() % 12))
            } catch EngineError.unreachable {
            } catch EngineError.undecided {
                // A COMMIT that was cut off by the end of the session may have been done.
            } catch EngineError.superseded {
                return
            }
            if random.next() % 8 == 0 { writer.engine.recover() }
            if random.next() % 16 == 0 { _ = try? writer.engine.upkeep.compact(below: 0, limit: 10) }
        }
        Issue.record("it was not replaced")
    }
}
