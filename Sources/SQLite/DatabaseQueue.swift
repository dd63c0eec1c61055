// SPDX-License-Identifier: Apache-2.0

import Support

/// A database with one connection, for which reads and writes wait.
public final class DatabaseQueue: DatabaseWriter {
    private let connection: SerialConnection
    private let gate = Gate(closed: DatabaseError.closed)

    /// - Throws: ``DatabaseError``, also when the file is not a database.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        connection = SerialConnection(path: path, configuration, "queue")
        try connection.sync { _ in }
    }

    /// A database in memory, gone with the last reference to this object.
    public init(configuration: Configuration = Configuration()) throws {
        connection = SerialConnection(path: ":memory:", configuration, "queue")
        try connection.sync { _ in }
    }

    /// In one transaction that cannot write.
    public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try connection.run(gate) { db in try db.reading(body) }
    }

    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await connection.run(gate) { db in try db.reading(body) }
    }

    /// Outside of a transaction.
    public func inDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try connection.run(gate, body)
    }

    public func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try connection.run(gate, body)
    }

    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await connection.run(gate, body)
    }

    /// Ends the statement that runs now with ``ResultCode/interrupted``. From any thread.
    public func interrupt() { connection.interrupt() }

    public func close() {
        if gate.close() { connection.close() }
    }
}
