// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Testing
import ZeroMQ

extension PostgreSQLTests {
    @Suite("Statements that are sent ahead")
    struct SentAheadTests {
        private func connectionWithTable() throws -> Connection {
            let connection = try connect()
            try connection.execute("CREATE TEMP TABLE p (k int8 CONSTRAINT p_key PRIMARY KEY)")
            return connection
        }

        private func pipeline(_ statements: [String], endsPart: Bool = false) throws -> Pipeline {
            var pipeline = Pipeline()
            for statement in statements { try pipeline.execute(statement) }
            if endsPart { pipeline.sync() }
            return pipeline
        }

        private func keys(_ connection: Connection) throws -> [Int64] {
            try connection.execute("SELECT k FROM p ORDER BY k").map { try $0.int8(0) }
        }

        @Test("they are one transaction with those that are sent later, and other calls see what they did")
        func together() throws {
            let connection = try connectionWithTable()
            try connection.send(pipeline(["BEGIN", "INSERT INTO p VALUES (1)"]))
            #expect(connection.isInsideTransaction)
            try connection.send(pipeline(["INSERT INTO p VALUES (2)"]))
            #expect(try keys(connection) == [1, 2])
            try connection.send(pipeline(["INSERT INTO p VALUES (3)"]))
            let results = try connection.run(pipeline(["SELECT 7", "ROLLBACK"]))
            #expect(results.count == 2)
            #expect(try results[0].get().first?.int4(0) == 7)
            #expect(!connection.isInsideTransaction)
            #expect(try keys(connection) == [])
            try connection.send(Pipeline())
            try connection.receiveSent()
        }

        @Test("the server executes them while nobody waits for them")
        func meanwhile() throws {
            let connection = try connectionWithTable()
            let other = try connect()
            try connection.send(pipeline(["BEGIN", "SELECT pg_advisory_xact_lock(88, 99)"]))
            var isLocked = false
            for _ in 0..<200 where !isLocked {
                isLocked =
                    try other.execute(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 88 AND objid = 99 AND granted"
                    ).first?.int8(0) == 1
            }
            #expect(isLocked)
            try connection.rollback()
        }

        @Test("the next call throws their first error and does nothing, and ROLLBACK needs no other")
        func error() throws {
            let wrong = ["BEGIN", "INSERT INTO p VALUES (1)", "INSERT INTO p VALUES (1)", "SELECT nothing"]
            let connection = try connectionWithTable()
            try connection.send(pipeline(wrong))
            #expect(throws: PostgreSQLError.uniqueViolation(constraint: "p_key")) {
                _ = try connection.execute("CREATE TEMP TABLE q (k int8)")
            }
            #expect(connection.isInsideTransaction)
            try connection.rollback()
            try connection.send(pipeline(wrong))
            #expect(throws: PostgreSQLError.uniqueViolation(constraint: "p_key")) {
                _ = try connection.run(pipeline(["INSERT INTO p VALUES (4)", "COMMIT"]))
            }
            try connection.rollback()
            try connection.send(pipeline(wrong))
            try connection.rollback()
            #expect(!connection.isInsideTransaction)
            // Their part has ended, so what follows would be run.
            try connection.send(pipeline(["SELECT nothing"], endsPart: true))
            #expect(throws: PostgreSQLError.self) {
                _ = try connection.run(pipeline(["INSERT INTO p VALUES (5)"]))
            }
            #expect(try keys(connection) == [])
        }

        @Test("whoever waits for their answers is woken meanwhile, and not after them")
        func woken() throws {
            let connection = try connectionWithTable()
            let wakeUp = WakeUp()
            var calls = 0
            wakeUp.call()
            try connection.send(pipeline(["BEGIN", "SELECT pg_sleep(0.2)", "COMMIT"], endsPart: true))
            try connection.receiveSent(whileReadable: wakeUp.descriptor) {
                calls += 1
                if calls == 3 { wakeUp.clear() }
            }
            #expect(calls == 3)
            wakeUp.call()
            try connection.receiveSent(whileReadable: wakeUp.descriptor) { calls += 1 }
            #expect(calls == 3, "nothing was sent")
            try connection.send(pipeline(["BEGIN", "SELECT 1 / 0"], endsPart: true))
            #expect(throws: PostgreSQLError.self) { try connection.receiveSent(whileReadable: -1) {} }
            try connection.rollback()
            connection.answerTimeout = .milliseconds(100)
            try connection.send(pipeline(["SELECT pg_sleep(5)"], endsPart: true))
            #expect(throws: PostgreSQLError.timedOut(commitIsUnknown: true)) {
                try connection.receiveSent(whileReadable: -1) {}
            }
            #expect(connection.isClosed)
        }

        @Test("a COMMIT among them whose connection is lost is unknown, and without one is not")
        func lost() throws {
            let killer = try connect()
            for (last, isUnknown) in [("COMMIT", true), ("SELECT 1", false)] {
                let connection = try connectionWithTable()
                try connection.send(pipeline(["BEGIN", "SELECT pg_sleep(20)", last]))
                try killer.execute("SELECT pg_terminate_backend(\(connection.backendPID), 5000)")
                do {
                    _ = try connection.execute("SELECT 1")
                    Issue.record("it was not lost")
                } catch {
                    #expect(error.commitIsUnknown == isUnknown)
                }
                #expect(connection.isClosed && !connection.isInsideTransaction)
            }
        }
    }
}
