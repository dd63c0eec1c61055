// SPDX-License-Identifier: Apache-2.0

import Logging
import PostgreSQL
import StorageRules

/// The requirements that a server must meet. They are checked before anything is acknowledged.
package enum ServerCheck {
    /// PostgreSQL 14 is the oldest version with `client_connection_check_interval`; its libpq has pipelines.
    private static let oldest = 140_000

    /// - Throws: ``EngineError/unfitServer(_:)`` if the server does not meet a requirement.
    package static func run(_ connection: Connection, logger: Logger) throws {
        try require(version: connection.serverVersion)
        let setting = { (name: String) in
            try connection.execute("SELECT current_setting($1)", [.text(name)]).first?.text(0) ?? ""
        }
        let commits = try setting("synchronous_commit")
        guard commits == "on" || commits == "remote_apply" else {
            throw EngineError.unfitServer(
                "its synchronous_commit is \(commits), with which an acknowledged write may be lost: set it to on for "
                    + "this user or database")
        }
        // A connection pooler reports a process id of its own instead of the server's. A pooler in session mode would
        // do no harm, but it cannot be distinguished from a pooler in transaction mode.
        let backend = try connection.execute("SELECT pg_backend_pid()").first?.int4(0)
        guard backend == connection.backendPID else {
            throw EngineError.unfitServer(
                "a pooler is in between, and storage needs a session of its own: name the server itself")
        }
        if try setting("fsync") != "on" {
            logger.warning("PostgreSQL's fsync is off: acknowledged writes may be lost with the power")
        }
    }

    /// - Parameter version: the version as a number, for example 150004 for PostgreSQL 15.4.
    static func require(version: Int) throws(EngineError) {
        guard version >= oldest else {
            throw .unfitServer("it is older than PostgreSQL 14: upgrade it")
        }
    }

    /// Settings with which the server ends the session of a dead client soon, instead of after hours.
    static let session = """
        SET client_connection_check_interval = '1s';
        SET tcp_keepalives_idle = 2;
        SET tcp_keepalives_interval = 1;
        SET tcp_keepalives_count = 3;
        SET idle_in_transaction_session_timeout = '60s';
        SET extra_float_digits = 1;
        """
}
