// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Logging
import SQLite
import Support
import SwiftProtobuf
import WaymarkProtocol

/// The embedded engine: SQLite, in a data directory or in memory.
final class SQLiteEngine: StorageEngine {
    /// The only connection that writes and checkpoints. SQLite before 3.51.3 can damage a file if two connections do that
    /// at once. The pool opens all others as read-only.
    let writer: any DatabaseWriter
    private let database: OpenDatabase
    private let readerBehind: EngineReader
    private let tuning: EngineTuning
    private let disk: DiskGuard
    private let compactor: LogCompactor
    private let logger: Logger
    /// Holds the lock of the directory. Nil in memory, and once closed.
    private var directory: DataDirectory?
    /// Nil once closed.
    private var state: State?
    /// True after an error, until the state in memory has been compared with the file.
    private var isInDoubt = false
    /// Whether a transaction has failed for what the file holds: then the next start looks at all of it.
    private var sawDamage = false
    /// Where the last sweep of tracks ended.
    private var sweptTrack: UInt64?

    /// What the writer knows in memory, and its statements.
    struct State {
        let rules: BatchRunner
        let begin: Statement
        let commit: Statement

        init(_ db: Database, tuning: EngineTuning, logger: Logger) throws {
            begin = try Statement(db, sql: "BEGIN IMMEDIATE TRANSACTION")
            commit = try Statement(db, sql: "COMMIT TRANSACTION")
            rules = try BatchRunner(.sqlite(db), window: tuning.answers, uptime: tuning.uptime(), logger: logger)
        }
    }

    let epoch: UUIDv7
    private let row: RunRow
    private(set) var floor: UInt64
    private var head: Head
    var position: Position { Position(epoch: epoch, rev: head.rev, run: row.run) }
    var reader: any StorageReader { readerBehind }
    let remote = EngineRemote()

    init(
        writer: any DatabaseWriter, directory: DataDirectory?, run: UUIDv7, tuning: EngineTuning, logger: Logger
    ) throws(EngineError) {
        self.writer = writer
        database = OpenDatabase(writer)
        self.directory = directory
        let row = RunRow(run)
        self.row = row
        self.tuning = tuning
        self.logger = logger
        let path = directory?.path
        let watch = DiskWatch(
            reserve: path == nil ? 0 : tuning.reserve, pause: tuning.diskPause, uptime: tuning.uptime,
            remote: remote
        ) {
            path.flatMap(DiskRoom.left(at:))
        }
        disk = DiskGuard(writer: writer, watch: watch, row: row, hasFile: path != nil)
        compactor = LogCompactor(writer: writer, disk: disk)
        do {
            do { try writer.writeWithoutTransaction { db in try row.require(db) } } catch let error
                where EngineError(error) == .full
            {
                // It only reads until there is room.
                watch.failed(.full)
            }
            (epoch, state) = try writer.writeWithoutTransaction { db in
                (
                    try SQLiteChangeTable.epoch(db),
                    try State(db, tuning: tuning, logger: logger)
                )
            }
            floor = try writer.writeWithoutTransaction { db in try SQLiteChangeTable.floor(db) }
            head = state?.rules.runner.head ?? Head()
            let log = LogReader(database: database, present: run)
            readerBehind = EngineReader(
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
        try disk.admit(commands: batch.count)
        do throws(EngineError) {
            let applied = try attempt(batch)
            disk.succeeded()
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
            // One command failed although its checks had passed. The batch is rolled back and repeated with a savepoint for
            // each command, which isolates the failure. Savepoints in every batch would cost a third of the rate (28,000
            // rows/s instead of 41,000) for a case that should never occur.
            do {
                return try transaction(batch, savepoints: true)
            } catch {
                throw EngineError(error)
            }
        } catch {
            throw EngineError(error)
        }
    }

    func recover() {
        if state != nil { disk.recover() }
    }

    private func transaction(_ batch: [WriteRequest], savepoints: Bool) throws -> AppliedBatch {
        try writer.writeWithoutTransaction { db in
            try row.require(db)
            let state = try settledState(db)
            let rules = state.rules
            let (mark, known, now) = (rules.mark, rules.runner.accounts.revision, tuning.uptime())
            var applied = AppliedBatch()
            let ended: BatchRunner.EndedBatch
            do {
                try state.begin.run()
                applied.replies = try rules.run(batch[...], isGuarded: savepoints, uptime: now)
                ended = try rules.end(uptime: now)
                Failpoint.hit(.beforeCommit)
                try state.commit.run()
            } catch {
                isInDoubt = true
                if case .corrupted = EngineError(error) { sawDamage = true }
                rules.abandon(to: mark)
                // SQLite may have rolled back by itself. If this rollback fails, the next BEGIN fails and reports it.
                if db.isInsideTransaction { try? db.rollback() }
                throw error
            }
            rules.committed(ended, uptime: now)
            applied.changes = ended.changes
            if rules.runner.accounts.revision > known {
                applied.accounts = try SQLiteAccountTable.news(db, since: known, limit: nil)
                applied.accounts?.forgotten = rules.runner.accounts.forgotten
            }
            head = ended.head
            if !applied.changes.isEmpty { readerBehind.index.nudge() }
            return applied
        }
    }

    /// The state in memory. After a failed transaction it is compared with the file first, and read anew if they differ.
    private func settledState(_ db: Database) throws -> State {
        guard let state else { throw EngineError.closed }
        guard isInDoubt else { return state }
        if try !state.rules.agrees() {
            let fresh = try State(db, tuning: tuning, logger: logger)
            swap(&fresh.rules.runner.ids, &state.rules.runner.ids)
            self.state = fresh
            head = fresh.rules.runner.head
        }
        isInDoubt = false
        return self.state ?? state
    }

    func compact(below rev: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        guard state != nil else { throw .closed }
        floor = try compactor.compact(limit: limit) { _ in rev }
        return floor
    }

    func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        guard state != nil else { throw .closed }
        // On a full disk the text search may be unable to go on, and what it waits for may be what fills the disk: then
        // nothing is kept for it, and it is rebuilt later.
        let searched = disk.condition == .writable ? readerBehind.index.progress.value : nil
        floor = try compactor.compact(limit: limit) { tables in
            try retention.firstKept(tables, searched: searched, now: now, limit: limit)
        }
        return floor
    }

    func sweepTracks(age: Duration, now: UInt64) throws(EngineError) -> Int {
        guard state != nil else { throw .closed }
        let sweep = try compactor.sweepTracks(
            from: sweptTrack, age: age > .zero ? UInt64(age / .milliseconds(1)) : nil, now: now,
            limit: TrackSweep.mostPoints)
        sweptTrack = sweep.after
        return sweep.points
    }

    // MARK: Ending

    func close() {
        guard state != nil else { return }
        // Its statements would keep the file open. They are released on the connection's queue, because in memory the
        // readers use the same connection.
        try? writer.writeWithoutTransaction { _ in state = nil }
        readerBehind.index.close()
        readerBehind.copier.close()
        // Best effort: commits are safe in the write-ahead log, and the next start reads them there.
        if directory != nil { try? writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) } }
        database.close()
        if !sawDamage { directory?.leaveInOrder() }
        directory = nil
    }
}
