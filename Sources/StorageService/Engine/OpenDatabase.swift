// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A database that can be closed while others read it: closing waits for what is under way, and what comes later is
/// refused. (GRDB leaves that to its callers: a call on a connection that it has closed ends the process.)
///
/// Work runs on the database's own queues, and is over there before the caller's task goes on: so closing may block a
/// thread of Swift's pool without waiting for one.
final class OpenDatabase: Sendable {
    let base: any DatabaseWriter
    private let gate = Gate()

    init(_ base: any DatabaseWriter) { self.base = base }

    /// In one read transaction.
    ///
    /// - Throws: ``EngineError/closed``, or whatever `body` met.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        try await run { finish in
            self.base.asyncRead { access in finish(Result { try body(access.get()) }) }
        }
    }

    /// In one transaction, undone when `body` throws.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        try await run { finish in
            self.base.asyncWrite(body) { _, result in finish(result) }
        }
    }

    func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EngineError) -> Value {
        try await run { finish in
            self.base.asyncWriteWithoutTransaction { db in finish(Result { try body(db) }) }
        }
    }

    /// Waits for what is under way. Once closed, it does nothing.
    func close() {
        guard gate.close() else { return }
        // Only a statement that is still held could keep it open, and then the end of the process closes it.
        try? base.close()
    }

    private func run<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async throws(EngineError) -> Value {
        guard gate.enter() else { throw .closed }
        let result = await withCheckedContinuation { continuation in
            start { result in
                self.gate.leave()
                continuation.resume(returning: result)
            }
        }
        return try result.mapError { EngineError($0) }.get()
    }
}

/// Lets work in until it is closed, and closes when the last of it has left.
private final class Gate: @unchecked Sendable {
    // `isClosed` is only touched with the lock held; a DispatchGroup may be used from any thread.
    private let lock = NSLock()
    private var isClosed = false
    private let inside = DispatchGroup()

    func enter() -> Bool {
        lock.withLock {
            guard !isClosed else { return false }
            inside.enter()
            return true
        }
    }

    func leave() { inside.leave() }

    /// False when it was closed before.
    func close() -> Bool {
        let isFirst = lock.withLock {
            defer { isClosed = true }
            return !isClosed
        }
        inside.wait()
        return isFirst
    }
}
