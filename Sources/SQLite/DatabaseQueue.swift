// SPDX-License-Identifier: Apache-2.0

import Support

/// A database whose work is done on its own threads. One connection writes, one piece of work at a time. Reads use that
/// connection too, or connections of their own, if the file has a write-ahead log: then each read sees the database as
/// it was when the read began, and waits for no write.
///
/// The asynchronous methods do not block the thread that calls them. Their work, its transaction included, is over
/// before the caller goes on. After ``close()`` all methods throw ``DatabaseError/closed``.
public final class DatabaseQueue: Sendable {
    private let writer: SerialDatabase
    /// Nil if reads use the writer's connection.
    private let readers: Pool<SerialDatabase>?
    private let gate = Gate(closed: DatabaseError.closed)

    /// - Parameters:
    ///   - path: the file. Without one the database is in memory, gone with the last reference to this object.
    ///   - readers: the most connections that read. With any, the file gets a write-ahead log.
    /// - Throws: ``DatabaseError``, also if the file is not a database.
    public init(path: String = ":memory:", configuration: Configuration = Configuration(), readers: Int = 0) throws {
        var reading = configuration
        reading.readonly = true
        // Readers wait for no writer, but opening or closing the write-ahead log takes a lock for a moment.
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

    /// Runs `body` in one transaction, which is undone if `body` throws.
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in try db.inTransaction { try body(db) } }
    }

    /// Runs `body` in one transaction, which is undone if `body` throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { db in try db.inTransaction { try body(db) } }
    }

    /// Ends the writer's running statement with ``ResultCode/interrupted``. Any thread may call this.
    public func interrupt() { writer.interrupt() }

    /// Waits for the work under way, and closes the connections. Further calls do nothing.
    public func close() {
        guard gate.close() else { return }
        // The writer closes last: only it can empty the write-ahead log and remove it.
        for reader in readers?.all ?? [] { reader.close() }
        writer.close()
    }
}
