// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import TestPostgreSQL
import TestTurns
import Testing

/// All suites with one server. Their tests block a thread, which is not one of Swift's pool.
@Suite("PostgreSQL", .ifPostgreSQLIsInstalled, .postgreSQL(TestServer.Options(listensOnTCP: true)), .computing)
enum PostgreSQLTests {
    static func configuration(_ server: TestServer, parameters: String = "") throws -> Configuration {
        Configuration(url: try ConnectionURL(server.url(parameters: parameters)))
    }

    static func connect() throws -> Connection { try Connection(try configuration(try TestServer.current())) }

    /// What it throws; nil when nothing went wrong.
    static func error(_ body: () throws -> Void) -> PostgreSQLError? {
        do { try body() } catch { return error as? PostgreSQLError }
        return nil
    }
}

extension Background {
    /// The error it ended with.
    func error() -> PostgreSQLError? { PostgreSQLTests.error { _ = try value() } }
}
