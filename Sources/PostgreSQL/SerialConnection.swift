// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A connection on a queue of its own, opened at its first use and again after it has failed.
final class SerialConnection: @unchecked Sendable {
    // `connection` and `isClosed` are only touched on `queue`, which runs one piece of work at a time.
    private let queue: DispatchQueue
    private let configuration: Configuration
    private var connection: Connection?
    private var isClosed = false

    init(_ configuration: Configuration, _ role: String) {
        self.configuration = configuration
        queue = DispatchQueue(label: "postgresql.\(role)", qos: .userInitiated)
    }

    func async(_ work: @escaping @Sendable (Result<Connection, any Error>) -> Void) {
        queue.async { work(Result { try self.opened() }) }
    }

    /// Runs `body` in a read. Call this in a piece of work that was given `connection`.
    ///
    /// An idle connection may be lost without anybody's notice, for example by a restart of the server. If not even its
    /// BEGIN was answered, nothing was done, and another connection takes its place once.
    func reading<Value>(_ connection: Connection, _ body: (Connection) throws -> Value) throws -> Value {
        do { try connection.begin(.snapshot) } catch PostgreSQLError.connectionLost {
            let fresh = try opened()
            return try fresh.reading { try body(fresh) }
        }
        return try connection.afterBegin { try body(connection) }
    }

    /// Closes the connection after the work that was begun before.
    func close() {
        queue.sync {
            isClosed = true
            connection?.close()
            connection = nil
        }
    }

    private func opened() throws(PostgreSQLError) -> Connection {
        if let connection, !connection.isClosed { return connection }
        guard !isClosed else { throw .closed }
        connection = nil
        let new = try Connection(configuration)
        connection = new
        return new
    }
}
