// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import TestPostgreSQL
import TestSupport
import Testing
import WaymarkProtocol

@testable import StorageService

extension PostgreSQLEngineTests {
    /// What of the next batch is done while PostgreSQL makes the present one durable.
    @Suite("Writes that are prepared")
    struct PreparedWritesTests {
        private let target: PostgreSQLServer
        private let writer: TrialWriter
        /// Of additions.
        private let batches: [[Attempt]]

        init() throws {
            target = try TestedEngine.newServer()
            writer = try TrialWriter("a", target)
            let writer = writer
            batches = try (0..<4).map { _ in try writer.batch(5) }
        }

        /// Everything that was acknowledged is there once, and another storage gives the same answers.
        private func expect(revisions: UInt64) throws {
            let check = try TrialCheck(target)
            check.check(writer.attempts)
            #expect(check.head == revisions && writer.engine.position.rev == revisions)
            try TrialCheck.repeatsAnswers(writer.attempts, writer.engine)
            #expect(try writer.engine.rules.agrees())
            writer.engine.close()
            let next = try TrialWriter("next", target)
            try TrialCheck.repeatsAnswers(writer.attempts, next.engine)
        }

        @Test("they are told to nobody and in no table before their own batch, and are done once")
        func own() throws {
            writer.offer(batches[1])
            try writer.apply(batches[0])
            #expect(writer.prepared == 5)
            #expect(writer.engine.position.rev == 5 && writer.published == Array(1...5))
            #expect(try TrialCheck(target).head == 5)
            try writer.apply(batches[1])
            #expect(writer.prepared == nil)
            #expect(writer.published == Array(1...10))
            try expect(revisions: 10)
        }

        @Test("a batch is prepared in parts, while the one before it is; the rest runs when its turn comes")
        func parts() throws {
            writer.offer(batches[1][..<2])
            writer.offer(batches[1][2..<3])
            try writer.apply(batches[0])
            #expect(writer.prepared == 3)
            writer.offer(batches[2][..<1])
            try writer.apply(batches[1])
            #expect(writer.prepared == 1)
            writer.offer(batches[3])
            try writer.apply(batches[2])
            try writer.apply(batches[3])
            try expect(revisions: 20)
        }

        @Test("a batch that does not begin with them undoes them")
        func others() throws {
            writer.offer(batches[1])
            try writer.apply(batches[0])
            #expect(writer.prepared == 5)
            try writer.apply(batches[2])
            #expect(writer.prepared == nil)
            writer.offer(batches[3])
            try writer.apply(batches[1])
            #expect(writer.prepared == 5)
            // Shorter than what was prepared.
            try writer.apply(Array(batches[3][..<3]))
            try writer.apply(Array(batches[3][3...]))
            try expect(revisions: 20)
        }

        @Test("what has to read a row ends them, and runs in its own batch")
        func reads() throws {
            try writer.apply(batches[0])
            // Each third request of the writer changes what is there, and this is its 22nd to 27th.
            let mixed = Array(try writer.batch(7).dropFirst())
            let edits = mixed.indices.filter {
                if case .edit = mixed[$0].request.command { true } else { false }
            }
            #expect(edits == [2, 5])
            writer.offer(mixed)
            try writer.apply(batches[1])
            #expect(writer.prepared == 2)
            try writer.apply(mixed)
            try expect(revisions: 16)
        }

        @Test("a copy of a request that is on its way has the same answer", arguments: [0, 2])
        func copies(_ place: Int) throws {
            var next = batches[1]
            next.insert(batches[0][1], at: place)
            writer.offer(next)
            try writer.apply(batches[0])
            // The answer is read from the table, for which the connection is not free.
            #expect(writer.prepared == nil)
            let applied = try writer.engine.apply(next.map(\.request))
            #expect(.acknowledged(applied.replies[place]) == writer.attempts[1].outcome)
            #expect(applied.changes.map(\.rev) == Array(6...10))
            try expect(revisions: 10)
        }

        @Test("the batch before them fails: they are undone with it")
        func failing() throws {
            let connection = try Connection(Configuration(url: target.url))
            try connection.executeScript(
                """
                CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$;
                CREATE CONSTRAINT TRIGGER never AFTER INSERT ON changes DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION never();
                """)
            writer.offer(batches[1])
            #expect(throws: EngineError.self) { try writer.apply(batches[0]) }
            #expect(writer.prepared == nil)
            #expect(try writer.engine.rules.agrees())
            try connection.execute("DROP TRIGGER never ON changes")
            writer.offer(batches[1])
            try writer.settle()
            try writer.apply(batches[1])
            try expect(revisions: 10)
        }

        @Test("a row of theirs that cannot be written refuses its command alone")
        func refusedAlone() throws {
            let connection = try Connection(Configuration(url: target.url))
            try connection.execute(#"ALTER TABLE changes ADD CONSTRAINT boom CHECK ("user" <> 'boom')"#)
            var requests = batches[1].map(\.request)
            requests[2].caller = .anyone(user: "boom")
            writer.engine.remote.offers.offer(requests[..<4])
            try writer.apply(batches[0])
            #expect(writer.prepared == 4)
            let replies = try writer.engine.apply(requests).replies
            #expect(
                try replies.map { try WireReply(serializedBytes: $0).failure.code } == [0, 0, 500, 0, 0])
            try expect(revisions: 9)
        }

        @Test("another request under their number does not get their answer")
        func otherRequest() throws {
            writer.offer(batches[1].prefix(1))
            try writer.apply(batches[0])
            #expect(writer.prepared == 1)
            let first = batches[1][0].request
            let other = WriteRequest(
                client: first.client, sequence: first.sequence, digest: RequestDigest(of: [1]), caller: first.caller,
                now: first.now, command: .add(try draft("another"), note: nil))
            let names = try writer.engine.apply([other]).changes.map { change in
                try Change(WireChange(serializedBytes: change.bytes)).landmark.name
            }
            #expect(names == ["another"])
            #expect(writer.prepared == nil)
        }

        @Test("a batch that is refused at once ends them, since the next one may be another")
        func refusedAtOnce() throws {
            writer.offer(batches[1])
            try writer.apply(batches[0])
            #expect(writer.prepared == 5)
            writer.engine.metFullDisk = writer.engine.tuning.uptime()
            #expect(throws: EngineError.full) { try writer.engine.apply(batches[1].map(\.request)) }
            #expect(writer.prepared == nil)
            #expect(try writer.engine.rules.agrees())
            writer.engine.metFullDisk = nil
            try writer.apply(batches[1])
            try expect(revisions: 10)
        }

        @Test("a storage that was replaced loses them, and says so")
        func replaced() throws {
            writer.offer(batches[1])
            try writer.apply(batches[0])
            #expect(writer.prepared == 5)
            let second = try SuccessionTests.successor("b", target)
            for batch in batches[1...] { #expect(throws: EngineError.self) { try writer.apply(batch) } }
            #expect(writer.engine.condition == .superseded)
            #expect(second.engine.position.rev == 5)
            try second.add(3)
            #expect(try TrialCheck(target).head == 8)
        }

        @Test("answers leave the window while others are prepared, which stay")
        func window() throws {
            var tuning = EngineTuning()
            (tuning.answers.count, tuning.answers.step) = (10, 5)
            let writer = try TrialWriter("b", target, patience: .zero, tuning: tuning)
            let batches = try (0..<12).map { _ in try writer.batch(7) }
            for (batch, next) in zip(batches, batches.dropFirst()) {
                writer.offer(next)
                try writer.apply(batch)
                #expect(writer.prepared == 7)
            }
            try writer.apply(batches[11])
            #expect(try writer.engine.rules.agrees())
            try TrialCheck.repeatsAnswers(writer.attempts.suffix(10), writer.engine)
            let forgotten = try writer.engine.apply([batches[0][0].request])
            #expect(forgotten.changes.isEmpty)
            #expect(try WireReply(serializedBytes: forgotten.replies[0]).failure.code != 0)
        }

        /// Requests of all kinds in batches of all sizes, with right and wrong offers.
        @Test("a thousand batches at random do the same as without offers", .timeLimit(.minutes(3)))
        func random() throws {
            var random = SplitMix64(seed: 17)
            var backlog = try writer.batch(20)
            var (prepared, revisions) = (0, 0)
            for _ in 0..<1_000 {
                let size = Int.random(in: 1...[3, 30, 200].randomElement(using: &random)!, using: &random)
                while backlog.count < 2 * size { backlog += try writer.batch(size) }
                let batch = Array(backlog[..<size])
                backlog.removeFirst(size)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: break
                case 1: writer.offer(batch.prefix(3))
                default:
                    let count = Int.random(in: 0...size, using: &random)
                    writer.offer(backlog.prefix(count / 2))
                    writer.offer(backlog.prefix(count).dropFirst(count / 2))
                }
                if Int.random(in: 0..<10, using: &random) == 0 { backlog.shuffle(using: &random) }
                try writer.apply(batch)
                if writer.prepared != nil { prepared += 1 }
                revisions += size
            }
            // Undoes what is prepared.
            try writer.add(3)
            #expect(prepared > 100, "\(prepared)")
            #expect(writer.attempts.allSatisfy { $0.reply != nil }, "a request has no answer")
            let check = try TrialCheck(target)
            check.check(writer.attempts)
            #expect(check.head == UInt64(revisions + 3))
            #expect(try writer.engine.rules.agrees())
        }
    }
}
