// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkProtocol

@testable import StorageOnPostgreSQL
@testable import StorageRules

/// The promises of an engine, over servers, standbys and backends that end where it is least convenient.
@Suite("The engine over PostgreSQL", .onPostgreSQL("starts and ends PostgreSQL's processes"), .serialized, .computing)
enum PostgreSQLEngineTests {
    /// A server of a test's own. An answer is waited for longer than a test's other steps take, each of them a process.
    static func server(
        _ server: TestServer, database: String = "postgres", isSynchronous: Bool = false
    ) throws -> PostgreSQLServer {
        var server = PostgreSQLServer(
            url: try ConnectionURL(server.url(database: database)), isSynchronous: isSynchronous)
        (server.connectTimeout, server.answerTimeout) = (.seconds(30), .seconds(60))
        return server
    }

    /// A server that a test may do anything to.
    static func withServer(
        _ options: TestServer.Options = TestServer.Options(), _ body: (TestServer) throws -> Void
    ) throws {
        let server = try TestServer(options)
        defer { server.close() }
        try body(server)
    }

    /// The process of the connection that an engine writes with.
    static func backend(of writer: TrialWriter) -> Int32 { writer.engine.session.connection.backendPID }

    /// Waits until a backend waits for something.
    static func wait(_ server: TestServer, _ pid: Int32, for event: String) throws {
        try blockUntil("\(pid) waits for \(event)") {
            try server.psql("SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = '\(event)'")
                == "1"
        }
    }

    /// Has each batch wait for a lock at a point of its transaction, while somebody holds that.
    enum Gate: String {
        /// Before it takes effect.
        case insideCommit = "DEFERRABLE INITIALLY DEFERRED"
        /// Among its statements.
        case insideBatch = ""

        static let key = 77

        /// - Parameter search: the schema of the tables.
        func install(_ connection: Connection) throws {
            try connection.executeScript(
                """
                CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(\(Self.key)); RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON changes \(rawValue) FOR EACH ROW EXECUTE FUNCTION gate();
                """)
        }
    }
}
