// SPDX-License-Identifier: Apache-2.0

import SQLite

/// Deletes the oldest changes of the log.
struct LogCompactor {
    let writer: any DatabaseWriter
    let disk: DiskGuard

    /// Deletes changes below a revision, up to `limit` of them.
    ///
    /// - Parameters:
    ///   - floor: the oldest revision that the log keeps.
    ///   - rev: the oldest revision to keep.
    /// - Returns: the oldest revision that the log keeps now.
    func compact(
        from floor: UInt64, limit: UInt64, below rev: (Database) throws -> UInt64
    ) throws(EngineError) -> UInt64 {
        do {
            // Reads first: a transaction that changes nothing would otherwise be made every second while nobody writes.
            let end = try writer.writeWithoutTransaction(rev)
            guard end > floor else { return floor }
            let moved = try writer.write { db in
                try SQLiteChangeTable.compact(db, below: end, limit: limit)
                return try SQLiteChangeTable.floor(db)
            }
            // The next slice then reuses the room of the write-ahead log.
            if disk.condition != .writable { disk.emptyWriteAheadLog() }
            return moved
        } catch {
            // Deletion overwrites pages, and that needs room for a moment. Fewer changes need less.
            guard case .full = EngineError(error), limit > 1 else { throw EngineError(error) }
            return try compact(from: floor, limit: max(1, limit / 8), below: rev)
        }
    }
}
