// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A connection with a queue of its own. It is opened when it is first used, and again after it has failed.
final class SerialConnection: @unchecked Sendable {
    // `connection` and `isClosed` are used only on `queue`, which runs one block at a time.
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

    /// Runs `body` in a read transaction. Must be called on the queue, with the queue's connection.
    ///
    /// An idle connection may be lost unnoticed, for example when the server restarts. If BEGIN fails because of this,
    /// nothing was done yet, so the read is tried once more on a new connection.
    func reading<Value>(_ connection: Connection, _ body: (Connection) throws -> Value) throws -> Value {
        do { try connection.begin(.snapshot) } catch PostgreSQLError.connectionLost {
            let fresh = try opened()
            return try fresh.reading { try body(fresh) }
        }
        return try connection.afterBegin { try body(connection) }
    }

    /// Closes the connection after all blocks that are already in the queue.
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
