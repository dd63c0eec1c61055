// SPDX-License-Identifier: Apache-2.0

import Support

/// A database in a file with a log of writes: one connection writes, and others read beside it. Each read sees the
/// database as it was when the read began.
public final class DatabasePool: DatabaseWriter {
    private let writer: SerialConnection
    private let readers: Pool<SerialConnection>
    private let gate = Gate(closed: DatabaseError.closed)

    /// - Throws: ``DatabaseError``, also when the file is not a database.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        var reading = configuration
        reading.readonly = true
        // Readers wait for nobody who writes; but opening or closing the log of writes takes a lock for a moment.
        reading.busyTimeout = max(configuration.busyTimeout, .seconds(10))
        readers = Pool(most: reading.maximumReaderCount) { [reading] number in
            SerialConnection(path: path, reading, "reader.\(number)")
        }
        writer = SerialConnection(path: path, configuration, "writer")
        try writer.sync { db in try db.useLogOfWrites() }
    }

    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try gate.enter()
        return try await withCheckedThrowingContinuation { continuation in
            readers.take { reader in
                reader.async { database in
                    let result = Result { try database.get().reading(body) }
                    self.readers.giveBack(reader)
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
        for reader in readers.all { reader.close() }
        writer.close()
    }
}
