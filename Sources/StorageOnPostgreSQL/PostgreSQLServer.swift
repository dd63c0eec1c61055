// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Landmarks
import Logging
import PostgreSQL

/// The database server. Connects storage to it, and makes storage the writer.
package struct PostgreSQLServer: Sendable {
    /// A connection that has become the writer's, with its term.
    struct Taken {
        var connection: Connection
        var term: WriterTerm
        var newestRemoved: UInt64
        var holdsLock: Bool
    }

    package let url: ConnectionURL
    /// Whether a standby server confirms each commit, so that a promoted standby continues the same history.
    let isSynchronous: Bool
    /// How long the writer may be silent before another storage takes over. It gives a sign of life every second.
    var patience: Duration = .seconds(3)
    var connectTimeout: Duration = .seconds(5)
    /// The maximum time for one answer.
    var answerTimeout: Duration = .seconds(30)

    package init(url: ConnectionURL, isSynchronous: Bool) { (self.url, self.isSynchronous) = (url, isSynchronous) }

    var readers: Configuration { configuration("waymark-storage reads") }

    private func configuration(_ name: String) -> Configuration {
        var configuration = Configuration(url: url)
        configuration.applicationName = name
        (configuration.connectTimeout, configuration.answerTimeout) = (connectTimeout, answerTimeout)
        return configuration
    }

    private func connect() throws -> Connection {
        let connection = try Connection(configuration("waymark-storage"))
        guard try connection.execute("SELECT pg_is_in_recovery()").first?.bool(0) == false else {
            throw EngineError.unfitServer(
                "it is a standby: name the primary, or several hosts with target_session_attrs=read-write")
        }
        try connection.executeScript(ServerCheck.session)
        return connection
    }

    /// Makes missing tables, waits while another storage is the writer, and becomes the writer.
    ///
    /// - Parameters:
    ///   - run: the run of this storage.
    ///   - control: can interrupt the wait.
    /// - Throws: ``EngineError``, in particular ``EngineError/closed`` if the wait was interrupted.
    func takeOver(run: UUIDv7, control: EngineControl, logger: Logger) throws -> Taken {
        let first = try connect()
        try ServerCheck.run(first, logger: logger)
        try PostgreSQLSchema.migrate(first, place: "\(url)")
        var connection: Connection? = first
        while true {
            guard !control.isInterrupted else { throw EngineError.closed }
            do {
                let connection = try connection ?? connect()
                let hasLock = try awaitTurn(connection, control, logger)
                return try becomeWriter(connection, run, hasLock, logger)
            } catch let error as PostgreSQLError {
                // The server may end during the wait, and another server may replace it.
                guard case .unreachable(let why) = EngineError(error) else { throw error }
                logger.warning("PostgreSQL is not reachable; trying again", metadata: ["reason": "\(why)"])
                connection = nil
                control.sleep(.milliseconds(500))
            }
        }
    }

    /// Opens a connection that keeps any storage from becoming the writer; nil if a storage is the writer now.
    package func connectAlone() throws -> Connection? {
        let connection = try connect()
        guard try WriterTerm.takesLock(connection) else {
            connection.close()
            return nil
        }
        return connection
    }

    /// Becomes the writer in one transaction, with a new term and a new run. Starts a new epoch if this server may lack
    /// acknowledged writes of the history.
    private func becomeWriter(
        _ connection: Connection, _ run: UUIDv7, _ holdsLock: Bool, _ logger: Logger
    ) throws -> Taken {
        let server = try DatabaseIdentity(connection)
        guard try connection.execute("SELECT to_regclass('copying') IS NULL").first?.bool(0) == true else {
            throw EngineError.unfitServer("a copy to this database is unfinished: run waymark-storage copy again")
        }
        return try connection.inTransaction {
            let epoch = UUIDv7.new()
            try connection.rows(
                """
                INSERT INTO history VALUES (1, $1, $2, 0, 0, 0, 0, 0, 0, $3, $4, $5) ON CONFLICT DO NOTHING
                """, [.bits(epoch.high), .bits(epoch.low)] + server.parameters)
            let (recorded, newest) = try recorded(connection)
            if recorded != server {
                let goesOn = server.continues(recorded, isSynchronous: isSynchronous)
                if !goesOn {
                    logger.warning(
                        "the server is not the one that wrote this history: a new history begins",
                        metadata: ["epoch": "\(epoch)"])
                    try connection.rows(
                        "UPDATE history SET epoch_high = $1, epoch_low = $2", [.bits(epoch.high), .bits(epoch.low)])
                }
                try server.record(connection)
            }
            let term = try WriterTerm(takingOver: connection)
            try RunTable(connection).begin(run, at: term.head.rev + 1)
            return Taken(connection: connection, term: term, newestRemoved: newest, holdsLock: holdsLock)
        }
    }

    private func recorded(_ connection: Connection) throws -> (DatabaseIdentity, newest: UInt64) {
        let found = try connection.value("SELECT cluster, timeline, relation, newest FROM history FOR UPDATE") { row in
            (try DatabaseIdentity(row), try row.bits(3))
        }
        guard let found else { throw EngineError.corrupted("it has no history") }
        return found
    }

    /// Connects again as the same writer, and increases the term.
    ///
    /// - Throws: ``EngineError/superseded`` if another storage has taken over, or if this is another server, which may
    ///   lack acknowledged writes.
    func renew(_ term: WriterTerm, run: UUIDv7) throws -> Taken {
        let connection = try connect()
        // The server may not have released the lock of the lost connection yet.
        let holdsLock = try WriterTerm.takesLock(connection)
        let server = try DatabaseIdentity(connection)
        return try connection.inTransaction {
            let (recorded, newest) = try recorded(connection)
            guard server.continues(recorded, isSynchronous: isSynchronous) else { throw EngineError.superseded }
            if recorded != server { try server.record(connection) }
            return Taken(
                connection: connection, term: try term.renewed(connection, run: run), newestRemoved: newest,
                holdsLock: holdsLock)
        }
    }
}

extension DatabaseIdentity {
    var parameters: [Parameter] { [.bits(cluster), .bits(timeline), .bits(relation)] }

    func record(_ connection: Connection) throws {
        try connection.rows("UPDATE history SET cluster = $1, timeline = $2, relation = $3", parameters)
    }
}
