// SPDX-License-Identifier: Apache-2.0

import SQLite

/// A database whose errors are those of the engine.
struct OpenDatabase: Sendable {
    private let base: DatabaseQueue

    init(_ base: DatabaseQueue) { self.base = base }

    /// In one read transaction.
    ///
    /// - Throws: ``EngineError/closed``, or whatever `body` met.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        do { return try await base.read(body) } catch { throw EngineError(error) }
    }

    /// In one transaction, undone when `body` throws.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        do { return try await base.write(body) } catch { throw EngineError(error) }
    }

    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        do { return try await base.writeWithoutTransaction(body) } catch { throw EngineError(error) }
    }

    /// Waits for what is under way. Once closed, it does nothing.
    func close() { base.close() }
}
