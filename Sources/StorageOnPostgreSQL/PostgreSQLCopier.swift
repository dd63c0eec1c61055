// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Landmarks
import PostgreSQL
import SQLite
import Synchronization

/// Copies a database of PostgreSQL to a file of SQLite: a backup that both engines can read, whichever made it.
final class PostgreSQLCopier: DatabaseCopying {
    private let pool: ConnectionPool
    private let folder: String
    private let isClosed = Mutex(false)

    /// - Parameter folder: for the file; nil: that of temporary files.
    init(pool: ConnectionPool, folder: String?) {
        self.pool = pool
        self.folder = folder ?? FileManager.default.temporaryDirectory.path
    }

    func copy() async throws(EngineError) -> DatabaseCopy {
        let file = "\(folder)/\(DataDirectory.draftPrefix)\(UUID().uuidString)\(DataDirectory.draftSuffix)"
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) } }
        do {
            return try await pool.read { connection in
                let head = try self.write(CopiedRows(connection), to: file)
                return try DatabaseCopy(
                    path: file, position: Position(epoch: head.epoch, rev: head.head.rev, run: head.run))
            }
        } catch {
            throw EngineError(error)
        }
    }

    func close() { isClosed.withLock { $0 = true } }

    private func write(_ source: CopiedRows, to file: String) throws -> CopiedHead {
        try DataDirectory.makePrivate(file)
        let queue = try DatabaseQueue(path: file)
        defer { queue.close() }
        try SQLiteEngine.migrator.migrate(queue)
        let head = try source.head()
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
        for table in CopiedTable.all {
            try source.forEach(of: table) { rows in
                guard !isClosed.withLock({ $0 }) else { throw EngineError.closed }
                try queue.write { db in try CopiedRows(db).append(rows, to: table) }
            }
        }
        try queue.write { db in try CopiedRows(db).finish(head) }
        return head
    }
}
