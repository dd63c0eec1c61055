// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Logging
import SQLite
import Support

/// The only SQLite connection that writes, with the state of the rules in memory.
final class SQLiteWriter: UpkeepDatabase {
    /// The connection pool. All its connections except the writer's are opened read-only, because SQLite before 3.51.3
    /// can damage a file if two connections write or checkpoint at the same time.
    private let database: DatabaseQueue
    private let tuning: EngineTuning
    private let disk: DiskGuard
    private let row: RunRow
    private let logger: Logger
    /// The rules with their state in memory; nil if the writer is closed.
    private var rules: BatchRunner?
    /// Whether an error has occurred and the state in memory has not been compared with the file since.
    private var isInDoubt = false
    /// Whether a transaction has failed because the file is damaged. The next start then checks the whole file.
    private(set) var sawDamage = false
    private(set) var head: Head

    init(_ database: DatabaseQueue, tuning: EngineTuning, disk: DiskGuard, row: RunRow, logger: Logger) throws {
        (self.database, self.tuning, self.disk, self.row, self.logger) = (database, tuning, disk, row, logger)
        let rules = try database.writeWithoutTransaction { db in try Self.rules(db, tuning, logger) }
        (self.rules, head) = (rules, rules.runner.head)
    }

    private static func rules(_ db: Database, _ tuning: EngineTuning, _ logger: Logger) throws -> BatchRunner {
        try BatchRunner(.sqlite(db), window: tuning.answers, uptime: tuning.uptime(), logger: logger)
    }

    var isClosed: Bool { rules == nil }

    /// Releases the tables' statements, because they would keep the file open. They are released on the connection's
    /// queue, because readers of a database in memory use the same connection.
    func close() { try? database.writeWithoutTransaction { _ in rules = nil } }

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
            // for each command, so that only the failing command is refused. Savepoints in every batch would cost a
            // third of the rate (28,000 rows/s instead of 41,000) for a case that should never occur.
            return try transaction(batch, savepoints: true)
        }
    }

    private func transaction(_ batch: [WriteRequest], savepoints: Bool) throws -> AppliedBatch {
        try database.writeWithoutTransaction { db in
            try row.require(db)
            let rules = try settledRules(db)
            do {
                try db.begin()
                let applied = try rules.apply(
                    batch, in: db, isGuarded: savepoints, uptime: tuning.uptime(),
                    commit: { applied, _ in
                        Failpoint.hit(.beforeCommit)
                        try db.commit()
                    })
                head = rules.runner.head
                return applied
            } catch {
                isInDoubt = true
                if case .corrupted = EngineError(error) { sawDamage = true }
                // SQLite may have rolled back already. If this rollback fails, the next BEGIN reports the error.
                if db.isInsideTransaction { try? db.rollback() }
                throw error
            }
        }
    }

    /// Returns the rules. After a failure, compares their state with the file first, and reads it again if needed.
    private func settledRules(_ db: Database) throws -> BatchRunner {
        guard let rules else { throw EngineError.closed }
        guard isInDoubt else { return rules }
        if try !rules.agrees() {
            let fresh = try Self.rules(db, tuning, logger)
            swap(&fresh.runner.ids, &rules.runner.ids)
            self.rules = fresh
            head = fresh.runner.head
        }
        isInDoubt = false
        return self.rules ?? rules
    }

    // MARK: Upkeep

    /// Smaller deletions need less room, because a deletion is in the write-ahead log until it is committed.
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
        // The next deletion can then reuse the room of the write-ahead log.
        if disk.condition != .writable { disk.emptyWriteAheadLog() }
    }
}
