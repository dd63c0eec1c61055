// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import SQLite
import Support

/// The only connection of SQLite that writes, with its state in memory.
final class SQLiteWriter: UpkeepDatabase {
    /// The rules with their state in memory, and prepared statements.
    private struct State {
        let rules: BatchRunner
        let begin: Statement
        let commit: Statement

        init(_ db: Database, tuning: EngineTuning, logger: Logger) throws {
            begin = try Statement(db, sql: "BEGIN IMMEDIATE TRANSACTION")
            commit = try Statement(db, sql: "COMMIT TRANSACTION")
            rules = try BatchRunner(.sqlite(db), window: tuning.answers, uptime: tuning.uptime(), logger: logger)
        }
    }

    /// The pool. Only the writer's connection may write, and the pool opens all others as read-only: SQLite before
    /// 3.51.3 can damage a file if two connections write or checkpoint at once.
    private let database: DatabaseQueue
    private let tuning: EngineTuning
    private let disk: DiskGuard
    private let row: RunRow
    private let logger: Logger
    /// Nil once the writer is closed.
    private var state: State?
    /// True after an error, until the state in memory has been compared with the file.
    private var isInDoubt = false
    /// Whether a transaction has failed because of damage in the file. The next start then checks all of it.
    private(set) var sawDamage = false
    private(set) var head: Head

    init(_ database: DatabaseQueue, tuning: EngineTuning, disk: DiskGuard, row: RunRow, logger: Logger) throws {
        (self.database, self.tuning, self.disk, self.row, self.logger) = (database, tuning, disk, row, logger)
        let state = try database.writeWithoutTransaction { db in try State(db, tuning: tuning, logger: logger) }
        (self.state, head) = (state, state.rules.runner.head)
    }

    var isClosed: Bool { state == nil }

    /// Releases the statements, which would keep the file open. They are released on the connection's queue, because in
    /// memory the readers use the same connection.
    func close() { try? database.writeWithoutTransaction { _ in state = nil } }

    // MARK: Batches

    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        guard !isClosed else { throw .closed }
        try disk.admit(commands: batch.count)
        do {
            let applied = try attempt(batch)
            disk.succeeded()
            return applied
        } catch {
            let error = EngineError(error)
            disk.watch.failed(error)
            throw error
        }
    }

    private func attempt(_ batch: [WriteRequest]) throws -> AppliedBatch {
        do { return try transaction(batch, savepoints: false) } catch let error
            where EngineError.isOfOneCommand(error)
        {
            // One command failed although its checks had passed. The batch is rolled back and repeated with a savepoint
            // for each command, which isolates the failure. Savepoints in every batch would cost a third of the rate
            // (28,000 rows/s instead of 41,000) for a case that should never occur.
            return try transaction(batch, savepoints: true)
        }
    }

    private func transaction(_ batch: [WriteRequest], savepoints: Bool) throws -> AppliedBatch {
        try database.writeWithoutTransaction { db in
            try row.require(db)
            let state = try settledState(db)
            do {
                try state.begin.run()
                let applied = try state.rules.apply(
                    batch, in: db, isGuarded: savepoints, uptime: tuning.uptime(),
                    commit: { applied, _ in
                        Failpoint.hit(.beforeCommit)
                        try state.commit.run()
                    })
                head = state.rules.runner.head
                return applied
            } catch {
                isInDoubt = true
                if case .corrupted = EngineError(error) { sawDamage = true }
                // SQLite may have rolled back by itself. If this rollback fails, the next BEGIN fails and reports it.
                if db.isInsideTransaction { try? db.rollback() }
                throw error
            }
        }
    }

    /// The state in memory. After a failed transaction it is first compared with the file, and read anew if they
    /// differ.
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

    // MARK: Upkeep

    /// Smaller deletions need less room: until it is committed, a deletion is in the write-ahead log.
    var fewerNeedLess: Bool { true }

    func look<Value>(_ body: (UpkeepTables) throws -> Value) throws(EngineError) -> Value {
        guard !isClosed else { throw .closed }
        do { return try database.writeWithoutTransaction { db in try body(UpkeepTables(db)) } } catch {
            throw EngineError(error)
        }
    }

    func delete(_ body: (UpkeepTables) throws -> Void) throws(EngineError) {
        guard !isClosed else { throw .closed }
        do { try database.write { db in try body(UpkeepTables(db)) } } catch { throw EngineError(error) }
        // The next deletion then reuses the room of the write-ahead log.
        if disk.condition != .writable { disk.emptyWriteAheadLog() }
    }
}
