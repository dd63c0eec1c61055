// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageRules

extension PostgreSQLEngineTests {
    /// Two storages that both take themselves for the writer.
    @Suite("Two writers")
    struct SuccessionTests {
        /// Another one takes over at once, as if this one were silent.
        static func successor(_ name: String, _ target: PostgreSQLServer) throws -> TrialWriter {
            try TrialWriter(name, target, patience: .zero)
        }

        /// What a writer that was replaced is told: its session was ended, and then it learns why.
        private static func expectEnd(of writer: TrialWriter) {
            var failures: [EngineError] = []
            for _ in 0..<4 {
                do { try writer.add(2) } catch { failures.append(EngineError(error)) }
            }
            #expect(failures.count == 4, "a batch of a replaced storage was acknowledged")
            #expect(failures.dropFirst().allSatisfy { $0 == .superseded }, "\(failures)")
            #expect(writer.engine.control.condition == .superseded)
        }

        @Test("the silent one is replaced, and none of its later batches is done")
        func silent() throws {
            let target = try TestedEngine.newServer()
            let first = try TrialWriter("a", target)
            try first.add(3)
            let begun = ContinuousClock.now
            let second = try TrialWriter("b", target, patience: .milliseconds(600))
            #expect(begun.duration(to: .now) >= .milliseconds(600))
            try second.add(2)
            Self.expectEnd(of: first)
            try second.add(2)
            let check = try TrialCheck(target)
            check.check(first.attempts + second.attempts)
            #expect(check.head == 7 && second.engine.position.epoch == first.engine.position.epoch)
            try TrialCheck.repeatsAnswers(first.attempts + second.attempts, second.engine)
        }

        @Test("one that shows itself is not replaced, whether it writes or not")
        func alive() throws {
            let target = try TestedEngine.newServer()
            let first = try TrialWriter("a", target)
            let working = Background {
                for round in 0..<80 {
                    // Twelve seconds, twice as long as the other one is patient.
                    usleep(150_000)
                    if round < 40 { try first.add() } else { first.engine.recover() }
                }
                let closed = ContinuousClock.now
                first.engine.close()
                return closed
            }
            // Without writes a sign comes after more than half a second, and is looked for four times a second.
            let (second, came) = (try TrialWriter("b", target, patience: .seconds(6)), ContinuousClock.now)
            #expect(try came >= working.value())
            #expect(first.attempts.count == 40)
            try second.add(2)
            let check = try TrialCheck(target)
            check.check(first.attempts + second.attempts)
            #expect(check.head == 42)
        }

        @Test("a storage that waits for nobody's end is stopped at once")
        func interrupted() throws {
            let target = try TestedEngine.newServer()
            let first = try TrialWriter("a", target)
            let (patient, control) = (Self.patient(target), EngineControl())
            let waiting = Background {
                do throws(EngineError) {
                    _ = try PostgreSQLEngine(
                        patient, directory: nil, run: UUIDv7.new(), tuning: EngineTuning(), control: control,
                        logger: .silent)
                    return EngineError?.none
                } catch {
                    return error
                }
            }
            try blockUntil { control.condition == .waiting }
            control.interrupt()
            #expect(try waiting.value() == .closed)
            try first.add(2)
        }

        @Test("replaced in the middle of a batch, after its rows and before its end")
        func insideBatch() throws {
            let target = try TestedEngine.newServer()
            let first = try TrialWriter("a", target)
            try first.add(3)
            let holder = try Connection(Configuration(url: target.url))
            try Gate.insideBatch.install(holder)
            // A row that cannot be written sends the batch into savepoints, which write before the head is moved.
            try holder.execute(#"ALTER TABLE changes ADD CHECK ("user" <> 'boom')"#)
            try holder.execute("SELECT pg_advisory_lock(\(Gate.key))")
            var batch = try first.batch(3)
            var boom = batch[2].request
            boom.caller = .anyone(user: "boom")
            batch[2] = Attempt(name: batch[2].name, request: boom, outcome: .unknown)
            let (pid, mine) = (PostgreSQLEngineTests.backend(of: first), batch)
            let working = Background { () -> EngineError? in
                do throws(EngineError) { try first.apply(mine) } catch { return error }
                return nil
            }
            let waits = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = 'advisory'"
            try blockUntil { try holder.execute(waits).first?.int8(0) == 1 }
            let second = try Self.successor("b", target)
            holder.close()
            // Its rows were undone with its session, so the second does not wait for them.
            try second.add(4)
            let failure = try #require(try working.value())
            if failure != .superseded {
                guard case .unreachable = failure else {
                    Issue.record("\(failure)")
                    return
                }
            }
            Self.expectEnd(of: first)
            let check = try TrialCheck(target)
            check.check(first.attempts + second.attempts)
            #expect(!mine.contains { check.has($0) })
            #expect(check.head == 7)
        }

        /// The lock is what makes a commit and a change of writers come one after the other.
        @Test("replaced while its COMMIT is under way: that batch is done and acknowledged, and the next is not")
        func insideCommit() throws {
            let target = try TestedEngine.newServer()
            let first = try TrialWriter("a", target)
            try first.add(3)
            let holder = try Connection(Configuration(url: target.url))
            try Gate.insideCommit.install(holder)
            try holder.execute("SELECT pg_advisory_lock(\(Gate.key))")
            let pid = PostgreSQLEngineTests.backend(of: first)
            let working = Background { try first.add(2) }
            let waits = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = 'advisory'"
            try blockUntil { try holder.execute(waits).first?.int8(0) == 1 }
            // Another user's session cannot be ended, so that it lives on.
            let second = Background { try Self.replacing(target) }
            let isBlocked =
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%'"
            try blockUntil { try holder.execute(isBlocked).first?.int8(0) == 1 }
            holder.close()
            _ = try working.value()
            #expect(try second.value() == 5, "the second has not seen the first one's batch")
            #expect(throws: EngineError.superseded) { try first.add() }
            let check = try TrialCheck(target)
            check.check(first.attempts)
            #expect(check.head == 5)
        }

        /// Raises the term as a storage that takes over does, without ending the other's session.
        ///
        /// - Returns: the head that it found.
        static func replacing(_ target: PostgreSQLServer) throws -> UInt64 {
            let connection = try Connection(Configuration(url: target.url))
            defer { connection.close() }
            return try connection.inTransaction {
                _ = try connection.execute("SELECT 1 FROM history FOR UPDATE")
                let (term, run) = (try WriterTerm(takingOver: connection), UUIDv7.new())
                try connection.execute(
                    "INSERT INTO runs (run_high, run_low, first) VALUES ($1, $2, $3)",
                    [.bits(run.high), .bits(run.low), .bits(term.head.rev + 1)])
                return term.head.rev
            }
        }

        @Test("a replaced one that does not know it yet reads nothing more: what it said would be in no history")
        func reads() async throws {
            let target = try TestedEngine.newServer()
            let first = try TrialWriter("a", target)
            try first.add(3)
            let reader = first.engine.reader
            let start = first.engine.position
            #expect(
                try await reader.changes(
                    since: 0, run: start.run, matching: .everything, limit: 10, maxBytes: 1_000
                ).head == 3)
            let second = try Self.successor("b", target)
            try second.add(4)
            #expect(first.engine.control.condition == .writable)
            await #expect(throws: EngineError.superseded) {
                _ = try await reader.changes(
                    since: 3, run: start.run, matching: .everything, limit: 10, maxBytes: 1_000)
            }
            await #expect(throws: EngineError.superseded) {
                _ = try await reader.snapshot(after: nil, matching: .everything, limit: 10, maxBytes: 1_000)
            }
            await #expect(throws: EngineError.superseded) { _ = try await reader.locate(before: .max) }
            await #expect(throws: EngineError.superseded) { _ = try await reader.numbers() }
            #expect(try await second.engine.reader.locate(before: .max).rev == 7)
        }
    }
}
