// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import Logging
import SQLite

/// The embedded engine. It uses SQLite in a data directory or in memory.
package final class SQLiteEngine: StorageEngine {
    let writer: DatabaseQueue
    let batches: SQLiteWriter
    private let disk: DiskGuard
    /// The locked data directory; nil if the database is in memory or the engine is closed.
    private var directory: DataDirectory?
    private let epoch: UUIDv7
    private let run: UUIDv7
    package let reader: any StorageReader
    package let index: SearchIndex
    package let copier: any DatabaseCopying
    package let upkeep: EngineUpkeep
    package let control = EngineControl()

    package var position: Position { Position(epoch: epoch, rev: batches.head.rev, run: run) }

    init(
        writer: DatabaseQueue, directory: DataDirectory?, run: UUIDv7, tuning: EngineTuning, logger: Logger
    ) throws(EngineError) {
        (self.writer, self.directory, self.run) = (writer, directory, run)
        let (path, row) = (directory?.path, RunRow(run))
        let watch = DiskWatch(
            reserve: path == nil ? 0 : tuning.reserve, pause: tuning.diskPause, uptime: tuning.uptime,
            control: control
        ) {
            path.flatMap(DiskRoom.left(at:))
        }
        disk = DiskGuard(writer: writer, watch: watch, row: row, hasFile: path != nil)
        do {
            do { try writer.writeWithoutTransaction { db in try row.require(db) } } catch let error
                where EngineError(error) == .full
            {
                // Until there is room, the engine only reads.
                watch.failed(.full)
            }
            epoch = try writer.writeWithoutTransaction { db in try ReadTables(db).epoch() }
            batches = try SQLiteWriter(writer, tuning: tuning, disk: disk, row: row, logger: logger)
            reader = SQLiteReaders(database: writer, present: run)
            copier = DatabaseCopier(database: writer, directory: directory, reserve: tuning.reserve)
            upkeep = try EngineUpkeep(batches, control: control)
            // Opened last, because the index then reads the log: a start that fails must leave no reader at the database.
            index = try SearchIndex(
                path: directory?.search, position: Position(epoch: epoch, rev: batches.head.rev, run: run), run: run,
                log: reader, control: control, patience: tuning.searchPatience, logger: logger)
        } catch {
            throw EngineError(error)
        }
    }

    deinit { close() }

    package func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        guard !batch.isEmpty else { return AppliedBatch() }
        let applied = try batches.apply(batch)
        if !applied.changes.isEmpty { index.nudge() }
        return applied
    }

    package func recover() {
        if !batches.isClosed { disk.recover() }
    }

    package func close() {
        guard !batches.isClosed else { return }
        batches.close()
        index.close()
        copier.close()
        // Errors are ignored, because commits are safe in the write-ahead log, where the next start reads them.
        if directory != nil { try? writer.writeWithoutTransaction { db in try db.checkpoint(cutsLog: true) } }
        writer.close()
        if !batches.sawDamage { directory?.leaveInOrder() }
        directory = nil
    }
}
