// SPDX-License-Identifier: Apache-2.0

import EngineParts
import SQLite

/// Refuses writes while the disk is full, and finds out when writing is possible again.
///
/// Only the writer uses it. ``DiskWatch`` decides when to look at the disk, and this type looks.
struct DiskGuard {
    let writer: DatabaseQueue
    let watch: DiskWatch
    let row: RunRow
    /// False for a database in memory.
    let hasFile: Bool

    var condition: EngineCondition { watch.condition }

    /// The estimated bytes of one command: four pages of the write-ahead log, for the landmark, the change, the answer
    /// and an index.
    private static let bytesOfCommand: UInt64 = 16_384

    /// Refuses writes while the disk is full, without touching the disk except for one look in each interval.
    ///
    /// - Parameter commands: the number of commands to be written.
    /// - Throws: ``EngineError/full``.
    func admit(commands: Int) throws(EngineError) {
        if watch.isDue() { look(for: UInt64(commands) * Self.bytesOfCommand) }
        if case .full = condition { throw .full }
    }

    /// Looks at the disk if it is time to.
    func recover() {
        if watch.isDue() { look(for: 0) }
    }

    func succeeded() {
        if condition != .writable { watch.enter(.writable) }
    }

    /// Checkpoints the write-ahead log, as far as no reader needs it.
    func emptyWriteAheadLog() {
        guard hasFile else { return }
        try? writer.writeWithoutTransaction { db in
            do { try db.checkpoint(cutsLog: true) } catch { try db.checkpoint(cutsLog: false) }
        }
    }

    private func look(for bytes: UInt64) {
        let hasRoom = watch.hasRoom(for: bytes, reusable: reusableBytes)
        guard condition != .writable else { return }
        // If there is room for it, the content of the write-ahead log moves to the database, which frees the log's
        // room.
        emptyWriteAheadLog()
        guard hasRoom else { return }
        do {
            // One page is written and flushed. Nothing else proves that there is room: statvfs knows nothing of quotas.
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

    /// Bytes of the database's unused pages.
    private func reusableBytes() -> UInt64 {
        let bytes = try? writer.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size")
        }
        return UInt64(max(0, bytes ?? 0))
    }
}
