// SPDX-License-Identifier: Apache-2.0

import Support

/// A database that can be read and written, one write at a time.
///
/// Work is done on the database's own threads. The asynchronous methods do not block the thread that calls them, and
/// their work is over, its transaction included, before the caller goes on. After ``close()`` all of them throw
/// ``DatabaseError/closed``.
public protocol DatabaseWriter: AnyObject, Sendable {
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// Reads one state of the database; a statement that writes is refused.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value

    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value

    /// Waits for what is under way. Once closed, it does nothing.
    func close()
}

extension DatabaseWriter {
    /// In one transaction, undone when `body` throws.
    public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writeWithoutTransaction { db in try db.writing(body) }
    }

    /// In one transaction, undone when `body` throws.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writeWithoutTransaction { db in try db.writing(body) }
    }
}

extension Database {
    fileprivate func writing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try beginTransaction(.immediate)
        do {
            let value = try body(self)
            try commit()
            return value
        } catch {
            // SQLite may have rolled back by itself. Where this fails, the next BEGIN does and says so.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }
}

extension SerialConnection {
    /// Does the work on the connection's queue, and goes on when it is over.
    func run<Value: Sendable>(
        _ gate: Gate<DatabaseError>, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            async { database in
                let result = Result { try body(try database.get()) }
                gate.leave()
                continuation.resume(with: result)
            }
        }
    }

    /// Does the work on the connection's queue while the caller waits.
    func run<Value>(_ gate: Gate<DatabaseError>, _ body: (Database) throws -> Value) throws -> Value {
        try gate.enter()
        defer { gate.leave() }
        return try sync(body)
    }
}
