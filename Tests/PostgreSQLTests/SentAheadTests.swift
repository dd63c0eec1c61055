// SPDX-License-Identifier: Apache-2.0

import Glibc
import PostgreSQL
import TestPostgreSQL
import TestTurns
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
            try blockUntil {
                try other.execute(
                    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 88 AND objid = 99 AND granted"
                ).first?.int8(0) == 1
            }
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

        @Test("after the end of a part the session is idle for PostgreSQL, which ends what nobody goes on with")
        func idle() throws {
            let (other, connection) = (try connect(), try connectionWithTable())
            try connection.execute("SET idle_in_transaction_session_timeout = 200")
            let pid = connection.backendPID
            try connection.send(pipeline(["BEGIN", "INSERT INTO p VALUES (1)"], endsPart: true))
            try blockUntil {
                try other.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid)").first?.int8(0) == 0
            }
            do {
                try connection.receiveSent()
                _ = try connection.execute("SELECT 1")
                Issue.record("it has not ended")
            } catch {
                #expect(!error.commitIsUnknown && connection.isClosed)
            }
        }

        @Test("a COMMIT among them whose connection is lost is unknown, and without one is not")
        func lost() throws {
            let killer = try connect()
            for (last, isUnknown) in [("COMMIT", true), ("SELECT 1", false)] {
                let connection = try connectionWithTable()
                try connection.send(pipeline(["BEGIN", "SELECT pg_sleep(20)", last]))
                try killer.execute("SELECT pg_terminate_backend(\(connection.backendPID), 15000)")
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
