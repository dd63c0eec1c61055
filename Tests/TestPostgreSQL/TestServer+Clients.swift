// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

extension TestServer {
    /// The URL on the Unix socket.
    public func url(user: String = TestServer.user, database: String = "postgres", parameters: String = "") -> String {
        let more = parameters.isEmpty ? "" : "&\(parameters)"
        return "postgresql://\(user)@/\(database)?host=\(directory)&port=\(port)\(more)"
    }

    /// The URL on the loopback interface.
    public func tcpURL(
        user: String = TestServer.user, password: String = TestServer.password, database: String = "postgres"
    ) -> String {
        let encoded = password.utf8.map { String(format: "%%%02X", $0) }.joined()
        return "postgresql://\(user):\(encoded)@127.0.0.1:\(port)/\(database)"
    }

    /// The output of psql, for tests that do not want to trust their own client: no headers, `|` between columns.
    @discardableResult
    public func psql(_ sql: String, database: String = "postgres") throws -> String {
        try run("psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, database])
    }

    /// Runs one of PostgreSQL's programs on this server, and waits for its end.
    ///
    /// - Returns: what it prints.
    @discardableResult
    public func run(_ program: String, _ arguments: [String]) throws -> String {
        let words = ["-h", directory, "-p", "\(port)", "-U", Self.user] + arguments
        let (status, text) = try Child.run(try Installation.words(program, words))
        guard status == 0 else { throw TestServerError("\(program): \(text)") }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Makes a standby the primary of a new timeline.
    public func promote() throws { try psql("SELECT pg_promote()") }

    /// Changes a setting while the server runs, unless it was started with it.
    public func set(_ name: String, _ value: String) throws {
        try psql("ALTER SYSTEM SET \(name) = '\(value)'")
        try psql("SELECT pg_reload_conf()")
        // The server's processes read the file soon after, each by itself.
        try blockUntil("\(name) is \(value)") { (try? psql("SHOW \(name)")) == value }
    }
}
