// SPDX-License-Identifier: Apache-2.0

import Support

/// Connections that read in parallel, each on a thread of its own. A connection is opened when it is first needed.
public final class ConnectionPool: Sendable {
    private let readers: Pool<SerialConnection>
    private let gate = Gate(closed: PostgreSQLError.closed)

    /// - Parameter most: the maximum number of connections.
    public init(_ configuration: Configuration, most: Int) {
        readers = Pool(most: most) { number in
            SerialConnection(configuration, "reader.\(number)")
        }
    }

    /// Runs `body` on one state of the database. A statement that writes throws ``PostgreSQLError/readOnly(_:)``.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            readers.take { reader in
                reader.async { connection in
                    let result = Result { try reader.reading(try connection.get(), body) }
                    self.readers.giveBack(reader)
                    self.gate.leave()
                    continuation.resume(with: result)
                }
            }
        }
    }

    /// Waits for the end of running reads. Later reads throw ``PostgreSQLError/closed``.
    public func close() {
        guard gate.close() else { return }
        for reader in readers.all { reader.close() }
    }
}
