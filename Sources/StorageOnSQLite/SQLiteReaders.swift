// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// Runs reads on the database's connections for reading.
struct SQLiteReaders: StorageReader {
    let database: DatabaseQueue
    let present: UUIDv7?

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTables) throws -> Value
    ) async throws(EngineError) -> Value {
        do { return try await database.read { db in try body(ReadTables(db)) } } catch { throw EngineError(error) }
    }
}
