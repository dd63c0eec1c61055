// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

extension PostgreSQLTests {
    /// A backend that is stopped by a signal has an open socket and answers nothing, as a machine that is cut off.
    @Suite("Deadlines and cancelling")
    struct DeadlineTests {
        private static let limit = Duration.milliseconds(400)

        /// What a call on a connection fails with whose backend is stopped, after `prepare`.
        private static func failure(
            _ prepare: (Connection) throws -> Void = { _ in }, _ call: (Connection) throws -> Void
        ) throws -> PostgreSQLError? {
            let connection = try connect()
            try prepare(connection)
            connection.answerTimeout = limit
            let pid = connection.backendPID
            kill(pid, SIGSTOP)
            defer { kill(pid, SIGCONT) }
            let start = ContinuousClock.now
            let error = PostgreSQLTests.error { try call(connection) }
            let time = ContinuousClock.now - start
            #expect(time >= limit && time < .seconds(60), "\(time)")
            #expect(connection.isClosed)
            let later = PostgreSQLTests.error { try connection.execute("SELECT 1") }
            guard case .connectionLost(error?.commitIsUnknown, _)? = later else {
                Issue.record("\(String(describing: later))")
                return nil
            }
            return error
        }

        @Test("a query, a COMMIT, a pipeline")
        func answers() throws {
            let inTransaction = { (connection: Connection) in
                _ = try connection.prepare("COMMIT")
                try connection.begin()
            }
            #expect(
                try Self.failure(inTransaction) { try $0.execute("SELECT 1") } == .timedOut(commitIsUnknown: false))
            #expect(try Self.failure(inTransaction) { try $0.commit() } == .timedOut(commitIsUnknown: true))
            #expect(try Self.failure { try $0.execute("SELECT 1") } == .timedOut(commitIsUnknown: true))
            #expect(try Self.failure { try $0.begin() } == .timedOut(commitIsUnknown: false))
            let pipelined = try Self.failure(inTransaction) { connection in
                var pipeline = Pipeline()
                for _ in 0..<3 { try pipeline.execute("SELECT 1") }
                _ = try connection.run(pipeline)
            }
            #expect(pipelined == .timedOut(commitIsUnknown: false))
        }

        @Test("what is sent and not taken: a large parameter, a large pipeline")
        func sending() throws {
            let large = [UInt8](repeating: 7, count: 20_000_000)
            #expect(
                try Self.failure { try $0.execute("SELECT length($1)", [.bytea(large)]) }
                    == .timedOut(commitIsUnknown: true))
            let pipelined = try Self.failure { connection in
                var pipeline = Pipeline()
                for _ in 0..<4 { try pipeline.execute("SELECT length($1)", [.bytea(Array(large.prefix(3_000_000)))]) }
                _ = try connection.run(pipeline)
            }
            #expect(pipelined == .timedOut(commitIsUnknown: true))
        }

        @Test("a slow answer in time is an answer")
        func inTime() throws {
            let connection = try connect()
            #expect(try connection.execute("SELECT 5 FROM pg_sleep(0.5)").first?.int4(0) == 5)
        }

        @Test("another session cancels, and the connection goes on")
        func cancel() throws {
            let connection = try connect()
            let pid = connection.backendPID
            let configuration = try configuration(try TestServer.current())
            let cancelling = Background<Void> {
                let other = try Connection(configuration)
                let query = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'"
                try blockUntil { try other.execute(query, [.int4(pid)]).first?.int8(0) == 1 }
                try other.execute("SELECT pg_cancel_backend($1)", [.int4(pid)])
            }
            let start = ContinuousClock.now
            let error = PostgreSQLTests.error { try connection.execute("SELECT pg_sleep(60)") }
            #expect(error == .cancelled("canceling statement due to user request"))
            #expect(ContinuousClock.now - start < .seconds(30))
            try cancelling.value()
            #expect(try connection.execute("SELECT 1").first?.int4(0) == 1)
            try connection.execute("SET statement_timeout = 50")
            let late = PostgreSQLTests.error { try connection.execute("SELECT pg_sleep(60)") }
            #expect(late == .cancelled("canceling statement due to statement timeout"))
        }
    }
}
