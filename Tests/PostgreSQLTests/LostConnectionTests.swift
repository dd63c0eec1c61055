// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing
import ZeroMQ

extension PostgreSQLTests {
    @Suite("Lost connections")
    struct LostConnectionTests {
        /// Waits until the backend does what `condition` says of its row in pg_stat_activity, and then ends it.
        private static func terminate(_ server: TestServer, _ pid: Int32, when condition: String) throws {
            let other = try Connection(try configuration(server))
            let query = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND \(condition)"
            try blockUntil { try other.execute(query, [.int4(pid)]).first?.int8(0) == 1 }
            #expect(try other.execute("SELECT pg_terminate_backend($1)", [.int4(pid)]).first?.bool(0) == true)
        }

        /// Runs `work` on a thread of its own, and says what it failed with after `fault`. All later calls fail too.
        private static func failure(
            _ server: TestServer, _ work: @escaping @Sendable (Connection) throws -> Void, fault: (Int32) throws -> Void
        ) throws -> PostgreSQLError? {
            let configuration = try configuration(server)
            let pid = Locked<Int32?>(nil)
            let working = Background<Void> {
                let connection = try Connection(configuration)
                pid.withLock { $0 = connection.backendPID }
                do { try work(connection) } catch {
                    let unknown = (error as? PostgreSQLError)?.commitIsUnknown
                    for _ in 0..<2 {
                        let later = PostgreSQLTests.error { try connection.execute("SELECT 1") }
                        guard case .connectionLost(unknown, _)? = later, connection.isClosed else { throw WrongLater() }
                    }
                    throw error
                }
            }
            try blockUntil("the connection is made") { pid.withLock { $0 != nil } }
            try fault(try #require(pid.withLock { $0 }))
            return working.error()
        }

        struct WrongLater: Error {}

        private static func isLost(_ error: PostgreSQLError?, commitIsUnknown: Bool) -> Bool {
            if case .connectionLost(commitIsUnknown, _)? = error { return true }
            Issue.record("\(String(describing: error))")
            return false
        }

        @Test("a backend that is ended in a query of a transaction: nothing was committed")
        func query() throws {
            let server = try TestServer.current()
            let error = try Self.failure(server) { connection in
                try connection.begin()
                try connection.execute("SELECT pg_sleep(60)")
            } fault: {
                try Self.terminate(server, $0, when: "wait_event = 'PgSleep'")
            }
            #expect(Self.isLost(error, commitIsUnknown: false))
            guard case .connectionLost(_, "terminating connection due to administrator command")? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }

        @Test("a statement outside of a transaction may be committed")
        func outside() throws {
            let server = try TestServer.current()
            let error = try Self.failure(server) { connection in
                try connection.execute("SELECT pg_sleep(60)")
            } fault: {
                try Self.terminate(server, $0, when: "wait_event = 'PgSleep'")
            }
            #expect(Self.isLost(error, commitIsUnknown: true))
        }

        @Test(
            "a backend that is ended in a COMMIT that is not done yet: unknown, and not there",
            arguments: [false, true])
        func commitBefore(isPipelined: Bool) throws {
            let server = try TestServer.current()
            _ = try server.psql(
                """
                DROP TABLE IF EXISTS slow; CREATE TABLE slow (k int8);
                CREATE OR REPLACE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER t AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION slowly();
                """)
            let error = try Self.failure(server) { connection in
                if isPipelined {
                    var pipeline = Pipeline()
                    try pipeline.execute("BEGIN")
                    try pipeline.execute("INSERT INTO slow VALUES (1)")
                    try pipeline.execute("/* a /* nested */ one */ -- and\n commit")
                    _ = try connection.run(pipeline)
                } else {
                    try connection.inTransaction { try connection.execute("INSERT INTO slow VALUES (1)") }
                }
            } fault: {
                try Self.terminate(server, $0, when: "wait_event = 'PgSleep'")
            }
            #expect(Self.isLost(error, commitIsUnknown: true))
            #expect(try server.psql("SELECT count(*) FROM slow") == "0")
        }

        @Test("a backend that is ended in a COMMIT that waits for its answer only: unknown, and there")
        func commitAfter() throws {
            // No standby ever confirms, so a COMMIT that asks for one is done here, and waits.
            let server = try TestServer(
                TestServer.Options(settings: ["synchronous_standby_names=nobody", "synchronous_commit=local"]))
            defer { server.close() }
            _ = try server.psql("CREATE TABLE done (k int8)")
            let error = try Self.failure(server) { connection in
                try connection.execute("SET synchronous_commit = on")
                try connection.inTransaction { try connection.execute("INSERT INTO done VALUES (1)") }
            } fault: {
                try Self.terminate(server, $0, when: "wait_event = 'SyncRep'")
            }
            #expect(Self.isLost(error, commitIsUnknown: true))
            #expect(try server.psql("SELECT count(*) FROM done") == "1")
        }

        enum Victim: CaseIterable, Sendable {
            case backendInQuery, backendInCommit, server
        }

        @Test("kill -9 of a backend, in a query and in a COMMIT, and of the whole server", arguments: Victim.allCases)
        func killed(_ victim: Victim) throws {
            let server = try TestServer()
            defer { server.close() }
            let error = try Self.failure(server) { connection in
                try connection.begin()
                guard victim == .backendInCommit else {
                    try connection.execute("SELECT pg_sleep(60)")
                    return
                }
                try connection.executeScript(
                    """
                    CREATE TEMP TABLE x (k int8);
                    CREATE FUNCTION pg_temp.slowly() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
                    CREATE CONSTRAINT TRIGGER t AFTER INSERT ON x DEFERRABLE INITIALLY DEFERRED
                        FOR EACH ROW EXECUTE FUNCTION pg_temp.slowly();
                    INSERT INTO x VALUES (1);
                    """)
                try connection.commit()
            } fault: { pid in
                let other = try Connection(try configuration(server))
                let query = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'"
                try blockUntil { try other.execute(query, [.int4(pid)]).first?.int8(0) == 1 }
                if victim == .server { server.crash() } else { kill(pid, SIGKILL) }
            }
            #expect(Self.isLost(error, commitIsUnknown: victim == .backendInCommit))
            if victim == .server {
                let refused = PostgreSQLTests.error { _ = try Connection(try configuration(server)) }
                guard case .cannotConnect? = refused else {
                    Issue.record("\(String(describing: refused))")
                    return
                }
                try server.start()
            }
            // The server ends all others with it, and lets nobody in until it has recovered.
            try blockUntil { (try? Connection(try configuration(server)).execute("SELECT 1").first?.int4(0)) == 1 }
        }

        @Test("whatever ends a session is a lost connection, also where it has an SQLSTATE of its own")
        func ended() throws {
            let (other, connection) = (try connect(), try connect())
            try connection.execute("SET idle_in_transaction_session_timeout = 20")
            try connection.begin()
            let sessions = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(connection.backendPID)"
            try blockUntil { try other.execute(sessions).first?.int8(0) == 0 }
            let error = PostgreSQLTests.error { try connection.execute("SELECT 1") }
            // 25P03, which PostgreSQL sends as FATAL.
            let message = "terminating connection due to idle-in-transaction timeout"
            #expect(error == .connectionLost(commitIsUnknown: false, message: message))
            #expect(connection.isClosed)
        }

        @Test("a server that is stopped while nobody asks is noticed by the next call")
        func idle() throws {
            let server = try TestServer()
            defer { server.close() }
            let configuration = try configuration(server)
            let (connection, inside) = (try Connection(configuration), try Connection(configuration))
            try inside.begin()
            server.stop()
            #expect(Self.isLost(PostgreSQLTests.error { try connection.begin() }, commitIsUnknown: false))
            #expect(Self.isLost(PostgreSQLTests.error { try inside.execute("SELECT 1") }, commitIsUnknown: false))
            #expect(Self.isLost(PostgreSQLTests.error { try inside.commit() }, commitIsUnknown: false))
            #expect(!connection.isInsideTransaction && connection.isClosed)
        }
    }
}
