// SPDX-License-Identifier: Apache-2.0

import EngineParts
import SQLite

/// Refuses writes while the disk is full, and finds out when writes are possible again.
///
/// Only the writer uses it. ``DiskWatch`` decides when to check the disk, and this type checks it.
struct DiskGuard {
    let writer: DatabaseQueue
    let watch: DiskWatch
    let row: RunRow
    /// Whether the database has a file; false if it is in memory.
    let hasFile: Bool

    var condition: EngineCondition { watch.condition }

    /// The estimated number of bytes that one command writes: four pages of the write-ahead log, for the landmark, the
    /// change, the answer and an index.
    private static let bytesOfCommand: UInt64 = 16_384

    /// Refuses writes while the disk is full. While it is full, checks the disk only once in each interval.
    ///
    /// - Parameter commands: the number of commands that will be written.
    /// - Throws: ``EngineError/full`` if the disk is full.
    func admit(commands: Int) throws(EngineError) {
        if watch.isDue() { look(for: UInt64(commands) * Self.bytesOfCommand) }
        if case .full = condition { throw .full }
    }

    /// Checks the disk if a check is due.
    func recover() {
        if watch.isDue() { look(for: 0) }
    }

    func succeeded() {
        if condition != .writable { watch.enter(.writable) }
    }

    /// Moves the content of the write-ahead log to the database, except for the content that readers still need.
    func emptyWriteAheadLog() {
        guard hasFile else { return }
        try? writer.writeWithoutTransaction { db in
            do { try db.checkpoint(cutsLog: true) } catch { try db.checkpoint(cutsLog: false) }
        }
    }

    private func look(for bytes: UInt64) {
        let hasRoom = watch.hasRoom(for: bytes, reusable: reusableBytes)
        guard condition != .writable else { return }
        // If there is room, moving the content of the write-ahead log to the database frees the room of the log.
        emptyWriteAheadLog()
        guard hasRoom else { return }
        do {
            // Write and flush one page. Nothing else proves that there is room, because statvfs does not know of
            // quotas.
            try writer.writeWithoutTransaction { db in
                if db.isInsideTransaction { try? db.rollback() }
                try row.require(db)
                try db.inTransaction { try db.execute(sql: "PRAGMA user_version = 0") }
            }
            watch.enter(.writable)
        } catch {
            watch.failed(EngineError(error))
        }
    }

    /// Returns the number of bytes in the unused pages of the database.
    private func reusableBytes() -> UInt64 {
        let bytes = try? writer.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
        }
        return UInt64(max(0, bytes ?? 0))
    }
}
