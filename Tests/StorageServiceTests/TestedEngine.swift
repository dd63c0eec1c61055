// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Logging
import PostgreSQL
import Synchronization
import TestPostgreSQL
import Testing

@testable import StorageService

/// The engine that the tests of storage run over: SQLite, or with `WAYMARK_TEST_ENGINE=postgresql` a PostgreSQL that they
/// start.
enum TestedEngine: String {
    case sqlite, postgreSQL = "postgresql"

    static let current =
        ProcessInfo.processInfo.environment["WAYMARK_TEST_ENGINE"].flatMap(TestedEngine.init) ?? .sqlite

    /// One for all tests; it ends with the process.
    private static let server = Result {
        try TestServer(TestServer.Options(settings: ["max_connections=300"]))
    }
    private static let schemas = Atomic<Int>(0)

    /// A database of a test's own: an empty schema.
    static func newServer() throws -> PostgreSQLServer { try EngineSetting.server(newURL()) }

    static func newURL() throws -> String {
        let server = try server.get()
        let schema = "s\(schemas.add(1, ordering: .relaxed).newValue)"
        let url = server.url()
        let connection = try Connection(Configuration(url: ConnectionURL(url)))
        try connection.execute("CREATE SCHEMA \(schema)")
        connection.close()
        return "\(url)&options=-csearch_path%3D\(schema)"
    }
}

extension PostgreSQLEngine {
    static func opened(
        _ server: PostgreSQLServer, directory: DataDirectory? = nil, run: UUIDv7 = SQLiteEngine.newID(),
        tuning: EngineTuning = EngineTuning()
    ) throws -> PostgreSQLEngine {
        let taken = try server.take(run: run, remote: EngineRemote(), logger: .silent)
        return try PostgreSQLEngine(
            server, taken, directory: directory, run: run, tuning: tuning, remote: EngineRemote(), logger: .silent)
    }
}

extension Trait where Self == ConditionTrait {
    /// For what only SQLite has.
    static func onSQLite(_ why: Comment) -> Self { .enabled(if: TestedEngine.current == .sqlite, why) }

    /// For what only PostgreSQL has.
    static func onPostgreSQL(_ why: Comment) -> Self { .enabled(if: TestedEngine.current == .postgreSQL, why) }
}
