// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import TestPostgreSQL
import Testing
import WaymarkProtocol

@testable import StorageOnPostgreSQL
@testable import StorageOnSQLite
@testable import StorageRules

extension PostgreSQLEngineTests {
    @Suite("Commands that fail in the database, and copies")
    struct FailingCommandTests {
        private static func connect(_ target: PostgreSQLServer) throws -> Connection {
            try Connection(Configuration(url: target.url))
        }

        @Test(
            "a row that cannot be written refuses its command alone, wherever it stands in the batch", arguments: 0..<4)
        func refusedAlone(_ place: Int) throws {
            let target = try TestedEngine.newServer()
            let writer = try TrialWriter("a", target)
            let added = try writer.add(2)
            let connection = try Self.connect(target)
            try connection.execute(#"ALTER TABLE changes ADD CONSTRAINT boom CHECK ("user" <> 'boom')"#)
            var batch = try writer.batch(4)
            var request = batch[place].request
            request.caller = .anyone(user: "boom")
            // Its landmark, its note and its removed ids are undone with it.
            request.command = .remove(
                try #require(UUIDv7(bytes: added[0].reply?.written.id ?? .init())), ifVersion: nil)
            batch[place] = Attempt(name: batch[place].name, request: request, outcome: .unknown)
            let (newest, before) = (writer.engine.set.lastRemoved, batch)
            try writer.apply(batch)
            let replies = writer.attempts.suffix(4).compactMap(\.reply)
            for (number, reply) in replies.enumerated() {
                #expect(
                    reply.failure.code == (number == place ? ErrorCode.internal.rawValue : 0), "\(number): \(reply)")
            }
            #expect(writer.engine.set.lastRemoved == newest)
            var check = try TrialCheck(target)
            #expect(check.head == 5)
            check.check(writer.attempts.filter { $0.name != before[place].name })
            // It was not remembered: once the row fits, the same request is done.
            try connection.execute("ALTER TABLE changes DROP CONSTRAINT boom")
            let again = try WireReply(serializedBytes: try writer.engine.apply([request]).replies[0])
            #expect(again.written.rev == 6)
            check = try TrialCheck(target)
            #expect(check.head == 6)
        }

        @Test("of a batch whose rows are sent in several parts", arguments: [10, 100, 299])
        func ofLargeBatch(_ place: Int) throws {
            let target = try TestedEngine.newServer()
            let writer = try TrialWriter("a", target)
            try Self.connect(target).execute(#"ALTER TABLE changes ADD CONSTRAINT boom CHECK ("user" <> 'boom')"#)
            var requests = try writer.batch(300).map(\.request)
            requests[place].caller = .anyone(user: "boom")
            let codes = try writer.engine.apply(requests).replies.map {
                try WireReply(serializedBytes: $0).failure.code
            }
            #expect(codes == requests.indices.map { $0 == place ? 500 : 0 })
            #expect(try TrialCheck(target).head == 299)
        }

        @Test("the BEGIN that was sent ahead fails: no part of the batch is done without it", arguments: [5, 300])
        func withoutTransaction(_ size: Int) throws {
            let target = try TestedEngine.newServer()
            let writer = try TrialWriter("a", target)
            // Additions only, which read nothing.
            let (first, batch) = (try writer.batch(300), try writer.batch(size))
            // All statements are prepared now: otherwise that would wait for the answers.
            try writer.apply(first)
            var begin = Pipeline()
            // As if the cancelled BEGIN of the batch.
            try begin.execute("BEGIN nonsense")
            begin.sync()
            try writer.engine.session.connection.send(begin)
            #expect(throws: EngineError.self) { try writer.engine.apply(batch.map(\.request)) }
            #expect(try TrialCheck(target).head == 300)
            try writer.apply(batch)
            #expect(try TrialCheck(target).head == UInt64(300 + size))
        }

        @Test("several of one batch, and none that is left")
        func several() throws {
            let target = try TestedEngine.newServer()
            let writer = try TrialWriter("a", target)
            try Self.connect(target).execute(#"ALTER TABLE changes ADD CONSTRAINT boom CHECK ("user" <> 'boom')"#)
            for isBoom: (Int) -> Bool in [{ $0 % 2 == 0 }, { _ in true }] {
                var batch = try writer.batch(6)
                for place in batch.indices where isBoom(place) {
                    var request = batch[place].request
                    request.caller = .anyone(user: "boom")
                    batch[place] = Attempt(name: batch[place].name, request: request, outcome: .unknown)
                }
                let replies = try writer.engine.apply(batch.map(\.request)).replies
                for (place, bytes) in replies.enumerated() {
                    #expect(try WireReply(serializedBytes: bytes).failure.code == (isBoom(place) ? 500 : 0))
                }
            }
            #expect(try TrialCheck(target).head == 3)
        }

        @Test("a deferred rule, which only the COMMIT finds broken, fails the batch and leaves nothing of it")
        func deferred() throws {
            let target = try TestedEngine.newServer()
            let writer = try TrialWriter("a", target)
            try writer.add(2)
            let connection = try Self.connect(target)
            try connection.executeScript(
                """
                CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'never'; END $$;
                CREATE CONSTRAINT TRIGGER never AFTER INSERT ON changes DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION never();
                """)
            let batch = try writer.batch(3)
            #expect(throws: EngineError.self) { try writer.apply(batch) }
            #expect(writer.engine.position.rev == 2)
            #expect(try TrialCheck(target).head == 2)
            try connection.execute("DROP TRIGGER never ON changes")
            try writer.apply(batch)
            #expect(try TrialCheck(target).head == 5)
        }

        @Test("copies while writes go on: each is of one revision, and SQLite opens it")
        func copies() async throws {
            let target = try TestedEngine.newServer()
            let writer = try TrialWriter("a", target)
            try writer.add(40)
            let load = Load { try writer.add(10) }
            var revisions: [UInt64] = []
            for _ in 0..<4 {
                let copy = try await writer.engine.copier.copy()
                let (scratch, file) = try BackupTests.written(copy)
                let position = try await BackupTests.check(file)
                #expect(position.rev == copy.position.rev && position.epoch == writer.engine.position.epoch)
                #expect(position.run == writer.engine.session.run)
                // As a storage that is given this copy opens it.
                _ = try DatabaseRestore.run(file, into: scratch.path + "/data", force: false)
                let restored = try SQLiteEngine(directory: scratch.path + "/data", logger: .silent)
                #expect(restored.position.rev == copy.position.rev)
                restored.close()
                revisions.append(position.rev)
                try load.goesOn(for: 2)
            }
            try load.stop()
            #expect(Set(revisions).count == 4, "nothing was written meanwhile: \(revisions)")
        }
    }
}
