// SPDX-License-Identifier: Apache-2.0

import Support

/// One connection, for which all work waits in its order. The work is done on a thread of its own, so that it does not
/// block the threads that await it.
///
/// The connection is opened at its first use, and again after it has failed.
public final class ConnectionThread: Sendable {
    private let connection: SerialConnection
    private let gate = Gate(closed: PostgreSQLError.closed)

    public init(_ configuration: Configuration, role: String = "connection") {
        connection = SerialConnection(configuration, role)
    }

    /// Outside of a transaction.
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            connection.async { connection in
                let result = Result { try body(try connection.get()) }
                self.gate.leave()
                continuation.resume(with: result)
            }
        }
    }

    /// Ends the statement that runs now with ``PostgreSQLError/cancelled(_:)``. From any thread, which it blocks until the
    /// server has the request.
    public func cancelStatement() throws(PostgreSQLError) { try connection.cancelStatement() }

    /// Waits for what is under way. Later work is refused with ``PostgreSQLError/closed``.
    public func close() {
        if gate.close() { connection.close() }
    }
}
