// SPDX-License-Identifier: Apache-2.0

import Failpoints
import FoundationEssentials
import Landmarks
import Logging
import SQLite
import SwiftProtobuf
import WaymarkProtocol

/// The embedded engine: SQLite, in a data directory or in memory.
final class SQLiteEngine: StorageEngine {
    /// The one connection that writes, and that checkpoints. SQLite before 3.51.3 can damage a file when two
    /// connections do so at once; the pool opens all others as read-only.
    let writer: any DatabaseWriter
    private let database: OpenDatabase
    private let readerBehind: SQLiteReader
    private let tuning: EngineTuning
    private let disk: DiskWatch
    private let logger: Logger
    /// The lock goes when this goes.
    private var directory: DataDirectory?
    /// Nil once it is closed.
    private var state: WriterState?
    /// After an error, until what is in memory has been compared with the file.
    private var isInDoubt = false

    let epoch: UUIDv7
    private let run: UUIDv7
    private(set) var floor: UInt64
    private var head: Head
    var position: Position { Position(epoch: epoch, rev: head.rev, run: run) }
    var reader: any StorageReader { readerBehind }
    var condition: EngineCondition { disk.condition }

    init(
        writer: any DatabaseWriter, directory: DataDirectory?, run: UUIDv7, tuning: EngineTuning, logger: Logger
    ) throws(EngineError) {
        self.writer = writer
        database = OpenDatabase(writer)
        self.directory = directory
        self.run = run
        self.tuning = tuning
        self.logger = logger
        let path = directory?.path
        disk = DiskWatch(reserve: path == nil ? 0 : tuning.reserve, pause: tuning.diskPause, uptime: tuning.uptime) {
            path.flatMap(DiskRoom.left(at:))
        }
        do {
            // Durable before anything is told in its name.
            try writer.write { db in try RunTable.begin(db, run) }
            (epoch, state) = try writer.writeWithoutTransaction { db in
                (
                    try ChangeTable.epoch(db),
                    try WriterState(db, window: tuning.answers, uptime: tuning.uptime(), logger: logger)
                )
            }
            floor = try writer.writeWithoutTransaction { db in try ChangeTable.floor(db) }
            head = state?.runner.head ?? Head()
            let log = SQLiteLog(database: database)
            readerBehind = SQLiteReader(
                log: log,
                index: try SearchIndex.opened(
                    path: directory?.search, position: Position(epoch: epoch, rev: head.rev, run: run), run: run,
                    log: log,
                    patience: tuning.searchPatience, logger: logger),
                copier: DatabaseCopier(database: database, directory: directory, reserve: tuning.reserve))
        } catch {
            throw EngineError(error)
        }
    }

    deinit { close() }

    // MARK: Writing

    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        guard !batch.isEmpty else { return AppliedBatch() }
        guard state != nil else { throw .closed }
        try admit()
        do throws(EngineError) {
            let applied = try attempt(batch)
            disk.wrote(applied.changes.reduce(0) { $0 + $1.bytes.count })
            if disk.condition != .writable { disk.enter(.writable) }
            return applied
        } catch {
            disk.failed(error)
            throw error
        }
    }

    private func attempt(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        do {
            return try transaction(batch, savepoints: false)
        } catch let error where EngineError.isOfOneCommand(error) {
            // One command met what its checks did not foresee. All is undone; it is found by giving each a savepoint,
            // which in every batch would cost a third of the rate (28,000 rows/s instead of 41,000) for what never happens.
            do {
                return try transaction(batch, savepoints: true)
            } catch {
                throw EngineError(error)
            }
        } catch {
            throw EngineError(error)
        }
    }

    // MARK: The disk

    /// Refuses without touching the disk while it is full, but for one look in each pause.
    private func admit() throws(EngineError) {
        if disk.isDue() { lookAtDisk() }
        if case .full = disk.condition { throw .full }
    }

    func recover() {
        if state != nil, disk.isDue() { lookAtDisk() }
    }

    private func lookAtDisk() {
        let hasRoom = disk.hasRoom(reusable: reusableBytes)
        guard disk.condition != .writable else { return }
        // What the log of writes holds goes to its place while there is room for it, and its own room is given back.
        emptyLogOfWrites()
        guard hasRoom else { return }
        do {
            // One page is written and flushed. Only that proves that there is room: statvfs does not know of everything.
            try writer.writeWithoutTransaction { db in
                if db.isInsideTransaction { try? db.rollback() }
                try db.inTransaction(.immediate) {
                    try db.execute(sql: "PRAGMA user_version = 0")
                    return .commit
                }
            }
            disk.enter(.writable)
        } catch {
            disk.failed(EngineError(error))
        }
    }

    /// As far as nobody reads from it.
    private func emptyLogOfWrites() {
        guard directory != nil else { return }
        try? writer.writeWithoutTransaction { db in
            do { _ = try db.checkpoint(.truncate) } catch { _ = try db.checkpoint(.passive) }
        }
    }

    private func transaction(_ batch: [WriteRequest], savepoints: Bool) throws -> AppliedBatch {
        try writer.writeWithoutTransaction { db in
            let state = try settledState(db)
            let mark = state.runner.mark
            var applied = AppliedBatch()
            applied.replies.reserveCapacity(batch.count)
            state.runner.expect(batch.count)
            let now = tuning.uptime()
            do {
                try state.begin.run()
                for request in batch {
                    let reply = savepoints ? try state.guarded(request, now) : try state.answer(request, now)
                    applied.replies.append(reply)
                }
                try state.answers.prune(uptime: now)
                Failpoint.hit(.beforeCommit)
                try state.commit.run()
            } catch {
                isInDoubt = true
                if case .corrupted = EngineError(error) { state.sawDamage = true }
                state.runner.rollBack(to: mark)
                state.answers.rollBack()
                // SQLite may have rolled back by itself. Where this fails, the next BEGIN does and says so.
                if db.isInsideTransaction { try? db.rollback() }
                throw error
            }
            state.answers.committed(uptime: now)
            applied.changes = state.runner.takeChanges()
            head = state.runner.head
            if !applied.changes.isEmpty { readerBehind.index.nudge() }
            return applied
        }
    }

    /// What is in memory, after it has been compared with the file if the last transaction failed.
    private func settledState(_ db: Database) throws -> WriterState {
        guard let state else { throw EngineError.closed }
        guard isInDoubt else { return state }
        if try !state.agrees(with: db) {
            let fresh = try WriterState(db, window: tuning.answers, uptime: tuning.uptime(), logger: logger)
            swap(&fresh.runner.ids, &state.runner.ids)
            fresh.sawDamage = state.sawDamage
            self.state = fresh
            head = fresh.runner.head
        }
        isInDoubt = false
        return self.state ?? state
    }

    func compact(below rev: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        try compact(limit) { _ in rev }
    }

    func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        // On a full disk the text search may not come on, and what it waits for may be what is in the way: it is built
        // anew then.
        let searched = disk.condition == .writable ? readerBehind.index.progress.value &+ 1 : 0
        let patience = head.rev - min(head.rev, retention.searchLag)
        return try compact(limit) { db in
            min(
                try ChangeTable.firstKept(db, retention, now: now, limit: limit),
                searched == 0 ? .max : max(searched, patience))
        }
    }

    private func compact(
        _ limit: UInt64, below rev: (Database) throws -> UInt64
    ) throws(EngineError) -> UInt64 {
        guard state != nil else { throw .closed }
        do {
            // Looked at first: a transaction that changes nothing would still be one for each second of an idle night.
            let end = try writer.writeWithoutTransaction(rev)
            guard end > floor else { return floor }
            floor = try writer.write { db in
                try ChangeTable.compact(db, below: end, limit: limit)
                return try ChangeTable.floor(db)
            }
            // So that the next slice takes the same room in the log of writes.
            if disk.condition != .writable { emptyLogOfWrites() }
            return floor
        } catch {
            // What is forgotten is overwritten, and that takes room first: less at once takes less.
            guard case .full = EngineError(error), limit > 1 else { throw EngineError(error) }
            return try compact(max(1, limit / 8), below: rev)
        }
    }

    // MARK: Ending

    func close() {
        guard let isSound = state.map({ !$0.sawDamage }) else { return }
        // Its statements would keep the file open. They go where the connection is: in memory, readers use the same one.
        try? writer.writeWithoutTransaction { _ in state = nil }
        readerBehind.index.close()
        readerBehind.copier.close()
        // Best effort: what is committed is safe in the WAL, and whoever opens the file next reads it there.
        if directory != nil { try? writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) } }
        database.close()
        if isSound { directory?.leaveInOrder() }
        directory = nil
    }
}
