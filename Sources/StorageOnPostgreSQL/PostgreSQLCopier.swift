// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Glibc
import Landmarks
import PostgreSQL
import Synchronization

/// Copies a PostgreSQL database to a SQLite file. Both engines can restore this backup.
final class PostgreSQLCopier: DatabaseCopying {
    private let pool: ConnectionPool
    private let folder: String
    private let isClosed = Mutex(false)

    /// - Parameter folder: the directory for the file; nil for the directory of temporary files.
    init(pool: ConnectionPool, folder: String?) {
        self.pool = pool
        self.folder = folder ?? FileManager.default.temporaryDirectory.path
    }

    func copy() async throws(EngineError) -> DatabaseCopy {
        let file = "\(folder)/\(DataDirectory.draftPrefix)\(UUID().uuidString)\(DataDirectory.draftSuffix)"
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) } }
        do {
            return try await pool.read { connection in
                let head = try CopiedRows(connection).write(to: file) { self.isClosed.withLock { $0 } }
                return try DatabaseCopy(
                    path: file, position: Position(epoch: head.epoch, rev: head.head.rev, run: head.run))
            }
        } catch {
            throw EngineError(error)
        }
    }

    func close() { isClosed.withLock { $0 = true } }
}
