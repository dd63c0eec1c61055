// SPDX-License-Identifier: Apache-2.0

import Support

/// A database whose work is done on its own threads. One connection writes, one piece of work at a time. Reads have that
/// connection too, or connections of their own, where the file has a log of writes: then each read sees the database as it
/// was when the read began, and waits for no write.
///
/// The asynchronous methods do not block the thread that calls them, and their work is over, its transaction included,
/// before the caller goes on. After ``close()`` all of them throw ``DatabaseError/closed``.
public final class DatabaseQueue: Sendable {
    private let writer: SerialConnection
    /// Nil: reads have the writer's connection.
    private let readers: Pool<SerialConnection>?
    private let gate = Gate(closed: DatabaseError.closed)

    /// - Parameters:
    ///   - path: without one the database is in memory, gone with the last reference to this object.
    ///   - readers: the most connections that read. With some the file gets a log of writes.
    /// - Throws: ``DatabaseError``, also when the file is not a database.
    public init(path: String = ":memory:", configuration: Configuration = Configuration(), readers: Int = 0) throws {
        var reading = configuration
        reading.readonly = true
        // Readers wait for nobody who writes; but opening or closing the log of writes takes a lock for a moment.
        reading.busyTimeout = max(configuration.busyTimeout, .seconds(10))
        self.readers =
            readers == 0
            ? nil
            : Pool(most: readers) { [reading] number in SerialConnection(path: path, reading, "reader.\(number)") }
        writer = SerialConnection(path: path, configuration, "writer")
        try writer.sync { db in if readers > 0 { try db.useLogOfWrites() } }
    }

    // MARK: Reading one state; a statement that writes is refused

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

    /// In one transaction, undone when `body` throws.
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in try db.inTransaction { try body(db) } }
    }

    /// In one transaction, undone when `body` throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { db in try db.inTransaction { try body(db) } }
    }

    /// Ends the statement of the writer that runs now with ``ResultCode/interrupted``. From any thread.
    public func interrupt() { writer.interrupt() }

    /// Waits for what is under way. Once closed, it does nothing.
    public func close() {
        guard gate.close() else { return }
        // The writer is the last: it alone can empty the log of writes and remove it.
        for reader in readers?.all ?? [] { reader.close() }
        writer.close()
    }
}
