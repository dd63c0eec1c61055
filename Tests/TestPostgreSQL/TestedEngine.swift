// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
public import Testing

/// The engine that the tests of storage run over: SQLite, or with `WAYMARK_TEST_ENGINE=postgresql` a PostgreSQL that they
/// start.
public enum TestedEngine: String, Sendable {
    case sqlite, postgreSQL = "postgresql"

    public static let current =
        ProcessInfo.processInfo.environment["WAYMARK_TEST_ENGINE"].flatMap(TestedEngine.init) ?? .sqlite

    /// The server of all tests, which ends with the process.
    private static let server = Result {
        try TestServer(TestServer.Options(settings: ["max_connections=300"]))
    }
    private static let schemas = Atomic<Int>(0)
    private static let known = Mutex<[String: String]>([:])

    /// The URL of a database of a test's own: an empty schema.
    public static func newURL() throws -> String {
        let schema = "s\(schemas.add(1, ordering: .relaxed).newValue)"
        let server = try server.get()
        try server.psql("CREATE SCHEMA \(schema)")
        return server.url(parameters: "options=-csearch_path%3D\(schema)")
    }

    /// The URL of the database that belongs to a directory, the same at each start; nil with SQLite, whose database is
    /// in the directory.
    public static func url(of directory: String) throws -> String? {
        guard current == .postgreSQL else { return nil }
        if let url = known.withLock({ $0[directory] }) { return url }
        let url = try newURL()
        known.withLock { $0[directory] = url }
        return url
    }

    /// The URL of the server itself, as another user.
    public static func url(user: String) throws -> String { try server.get().url(user: user) }

    /// Dumps the database of a URL that was given before, or puts that dump back, as an operator would.
    public static func copySchema(of url: String, back: Bool) throws {
        let (server, schema) = (try server.get(), String(url.split(separator: "%3D").last ?? ""))
        let file = "\(server.directory)/\(schema).dump"
        guard back else {
            try server.run("pg_dump", ["-Fc", "-n", schema, "-f", file, "postgres"])
            return
        }
        try server.psql("DROP SCHEMA \(schema) CASCADE")
        try server.run("pg_restore", ["-d", "postgres", file])
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests of what only SQLite has.
    public static func onSQLite(_ why: Comment) -> Self { .enabled(if: TestedEngine.current == .sqlite, why) }

    /// For tests of what only PostgreSQL has.
    public static func onPostgreSQL(_ why: Comment) -> Self { .enabled(if: TestedEngine.current == .postgreSQL, why) }
}
