// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A database in a file with a log of writes: one connection writes, and others read beside it. Each read sees the
/// database as it was when the read began.
public final class DatabasePool: DatabaseWriter {
    /// What is to be done with a reader as soon as there is one.
    private typealias Job = @Sendable (SerialConnection) -> Void

    private struct Readers {
        var all: [SerialConnection] = []
        var idle: [SerialConnection] = []
        var waiting: [Job] = []
    }

    private let path: String
    private let writer: SerialConnection
    private let reading: Configuration
    private let readers = Mutex(Readers())
    private let gate = Gate()

    /// - Throws: ``DatabaseError``, also when the file is not a database.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        self.path = path
        var reading = configuration
        reading.readonly = true
        // Readers wait for nobody who writes; but opening or closing the log of writes takes a lock for a moment.
        reading.busyTimeout = max(configuration.busyTimeout, .seconds(10))
        self.reading = reading
        writer = SerialConnection(path: path, configuration, "writer")
        try writer.sync { db in try db.useLogOfWrites() }
    }

    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            take { reader in
                reader.async { database in
                    let result = Result { try database.get().reading(body) }
                    self.giveBack(reader)
                    self.gate.leave()
                    continuation.resume(with: result)
                }
            }
        }
    }

    public func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.run(gate, body)
    }

    public func writeWithoutTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await writer.run(gate, body)
    }

    public func close() {
        guard gate.close() else { return }
        // The writer is the last: it alone can empty the log of writes and remove it.
        for reader in readers.withLock({ $0.all }) { reader.close() }
        writer.close()
    }

    // MARK: The readers

    private func take(_ job: @escaping Job) {
        let reader = readers.withLock { readers -> SerialConnection? in
            if let idle = readers.idle.popLast() { return idle }
            guard readers.all.count < max(1, reading.maximumReaderCount) else {
                readers.waiting.append(job)
                return nil
            }
            let new = SerialConnection(path: path, reading, "reader.\(readers.all.count + 1)")
            readers.all.append(new)
            return new
        }
        if let reader { job(reader) }
    }

    /// To the one that has waited longest.
    private func giveBack(_ reader: SerialConnection) {
        let job = readers.withLock { readers -> Job? in
            guard readers.waiting.isEmpty else { return readers.waiting.removeFirst() }
            readers.idle.append(reader)
            return nil
        }
        job?(reader)
    }
}
