// SPDX-License-Identifier: Apache-2.0

import Support

/// A database with threads of its own. One connection writes, and runs one closure at a time. Reads use the same
/// connection, or, if the file has a write-ahead log, connections of their own. Then a read sees the database as it was
/// when the read began, and does not wait for writes.
///
/// The asynchronous methods do not block the calling thread. Their closure and its transaction have ended when they
/// return. After ``close()`` all methods throw ``DatabaseError/closed``.
public final class DatabaseQueue: Sendable {
    private let writer: SerialDatabase
    /// The connections for reading; nil if reads use the writer's connection.
    private let readers: Pool<SerialDatabase>?
    private let gate = Gate(closed: DatabaseError.closed)

    /// - Parameters:
    ///   - path: the path of the file. By default, the database is in memory, and is deleted with this object.
    ///   - readers: the maximum number of connections for reading. If it is not 0, the file gets a write-ahead log.
    /// - Throws: ``DatabaseError``, for example if the file is not a database.
    public init(path: String = ":memory:", configuration: Configuration = Configuration(), readers: Int = 0) throws {
        var reading = configuration
        reading.readonly = true
        // Readers do not wait for writers, but opening or closing the write-ahead log locks it for a moment.
        reading.busyTimeout = max(configuration.busyTimeout, .seconds(10))
        self.readers =
            readers == 0
            ? nil
            : Pool(most: readers) { [reading] number in SerialDatabase(path: path, reading, "reader.\(number)") }
        writer = SerialDatabase(path: path, configuration, "writer")
        try writer.sync { db in if readers > 0 { try db.useLogOfWrites() } }
    }

    // MARK: Reading: each read sees one state, and statements that write are refused

    public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in try db.reading(body) }
    }

    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard let readers else { return try await writeWithoutTransaction { db in try db.reading(body) } }
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            readers.take { reader in
                reader.async { database in
                    let result = Result { try database.get().reading(body) }
                    readers.giveBack(reader)
                    self.gate.leave()
                    continuation.resume(with: result)
                }
            }
        }
    }

    // MARK: Writing

    public func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        return try writer.sync(body)
    }

    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            writer.async { database in
                let result = Result { try body(try database.get()) }
                self.gate.leave()
                continuation.resume(with: result)
            }
        }
    }

    /// Runs `body` in a transaction, which is undone if `body` throws.
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in try db.inTransaction { try body(db) } }
    }

    /// Runs `body` in a transaction, which is undone if `body` throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { db in try db.inTransaction { try body(db) } }
    }

    /// Ends the statement that the writer is running with ``ResultCode/interrupted``. Any thread may call this.
    public func interrupt() { writer.interrupt() }

    /// Waits for the closures that are running, and closes the connections. Further calls do nothing.
    public func close() {
        guard gate.close() else { return }
        // The writer closes last, because only it can empty and remove the write-ahead log.
        for reader in readers?.all ?? [] { reader.close() }
        writer.close()
    }
}
