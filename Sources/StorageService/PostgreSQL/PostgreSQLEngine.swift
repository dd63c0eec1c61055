// SPDX-License-Identifier: Apache-2.0

import Failpoints
import Landmarks
import Logging
import PostgreSQL
import WaymarkProtocol

/// The engine for more than one machine: a PostgreSQL database that other storages may wait for.
///
/// It blocks the thread that calls it, for as long as the server takes. What the rules have decided is written in one
/// pipeline, which is one round trip.
final class PostgreSQLEngine: StorageEngine {
    private let server: PostgreSQLServer
    private let pool: ConnectionPool
    private let readerBehind: EngineReader
    private let tuning: EngineTuning
    private let logger: Logger
    /// Holds the lock of the directory with the text search. Nil without one, and once closed.
    private var directory: DataDirectory?
    private let set: WorkingSet
    private let rules: BatchRunner
    private var term: WriterTerm
    private let run: UUIDv7
    private(set) var floor: UInt64
    let remote: EngineRemote
    private var isClosed = false
    private var isSuperseded = false
    /// `term.commits` when the last upkeep came.
    private var seenCommits: UInt64?
    private var sweptTrack: UInt64?
    /// When a full disk was met last.
    private var metFullDisk: Duration?

    var position: Position { Position(epoch: term.epoch, rev: term.head.rev, run: run) }
    var reader: any StorageReader { readerBehind }

    /// - Parameter place: a connection of the writer, which has taken the term over.
    init(
        _ server: PostgreSQLServer, _ taken: PostgreSQLServer.Taken, directory: DataDirectory?, run: UUIDv7,
        tuning: EngineTuning, remote: EngineRemote, logger: Logger
    ) throws(EngineError) {
        (self.server, self.directory, self.run, self.tuning, self.logger) = (server, directory, run, tuning, logger)
        self.remote = remote
        term = taken.term
        pool = ConnectionPool(server.readers)
        do {
            let connection = taken.connection
            set = WorkingSet(connection, newestRemoved: taken.newestRemoved)
            rules = try BatchRunner(.postgreSQL(set), window: tuning.answers, uptime: tuning.uptime(), logger: logger)
            let last = try connection.first("SELECT coalesce(max(rev), 0) FROM changes") { row in try row.bits(0) }
            guard last == term.head.rev || last == 0 else {
                throw EngineError.corrupted("its head is \(term.head.rev), and its newest change \(last ?? 0)")
            }
            floor = try PostgreSQLUpkeepTables(connection).floor()
            let log = LogReader(database: PostgreSQLReaders(pool: pool))
            let position = Position(epoch: term.epoch, rev: term.head.rev, run: run)
            readerBehind = EngineReader(
                log: log,
                index: try SearchIndex.opened(
                    path: directory?.search, position: position, run: run, log: log, patience: tuning.searchPatience,
                    logger: logger),
                copier: PostgreSQLCopier(pool: pool, folder: directory?.path))
        } catch {
            pool.close()
            throw EngineError(error)
        }
    }

    /// Becomes the writer of a database, which may mean to wait for another storage.
    ///
    /// - Parameters:
    ///   - path: the directory of the text search; nil: it is kept in memory.
    ///   - remote: tells that it waits, and ends the wait.
    convenience init(
        _ server: PostgreSQLServer, directory path: String?, run: UUIDv7, tuning: EngineTuning, remote: EngineRemote,
        logger: Logger
    ) throws(EngineError) {
        let directory = try path.map { path throws(EngineError) in try DataDirectory(path: path) }
        let taken: PostgreSQLServer.Taken
        do { taken = try server.take(run: run, remote: remote, logger: logger) } catch { throw EngineError(error) }
        remote.enter(.writable)
        try self.init(
            server, taken, directory: directory, run: run, tuning: tuning, remote: remote, logger: logger)
    }

    deinit { close() }

    // MARK: Writing

    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        guard !batch.isEmpty else { return AppliedBatch() }
        try admit()
        do {
            let applied = try attempt(batch)
            remote.enter(.writable)
            if !applied.changes.isEmpty { readerBehind.index.nudge() }
            return applied
        } catch {
            throw failed(EngineError(error))
        }
    }

    private func attempt(_ batch: [WriteRequest]) throws -> AppliedBatch {
        var isGuarded = false
        var triesLeft = 3
        while true {
            triesLeft -= 1
            do {
                return try transaction(batch, isGuarded: isGuarded)
            } catch is NotCommitted where triesLeft > 0 {
                // The connection was lost and is there again: nothing of the batch was done.
            } catch let error where !isGuarded && triesLeft > 0 && EngineError.isOfOneCommand(error) {
                // As with SQLite: a savepoint for each command isolates the one that fails.
                isGuarded = true
            }
        }
    }

    /// The batch was not committed, and cannot be any more.
    private struct NotCommitted: Error {}

    private func transaction(_ batch: [WriteRequest], isGuarded: Bool) throws -> AppliedBatch {
        let (mark, known, now) = (rules.mark, rules.runner.accountRevision, tuning.uptime())
        var applied = AppliedBatch()
        do {
            try set.prefetch(batch)
            applied.replies = try rules.run(batch, isGuarded: isGuarded, uptime: now)
            if rules.runner.accountRevision > known {
                // Inside of the transaction, which sees what it has written.
                applied.accounts = try PostgreSQLAccounts(set.connection).news(since: known)
            }
            Failpoint.hit(.beforeCommit)
            try commit()
        } catch {
            rules.rollBack(to: mark)
            set.rolledBack()
            if set.connection.isInsideTransaction { try? set.connection.rollback() }
            if WriterTerm.isLost(error) { throw EngineError.superseded }
            throw error
        }
        set.committed()
        applied.changes = rules.committed(uptime: now)
        return applied
    }

    private func commit() throws {
        let connection = set.connection
        let head = rules.runner.head
        var pipeline = Pipeline()
        if !connection.isInsideTransaction {
            try pipeline.add(connection, Connection.TransactionKind.readCommitted.rawValue)
        }
        // Before the rows: a storage that was replaced must not wait for those of the other one.
        try term.move(to: head, newest: set.newestRemoved, in: &pipeline, connection)
        try set.addWrites(to: &pipeline)
        try pipeline.add(connection, "COMMIT")
        do throws(PostgreSQLError) {
            for result in try connection.run(pipeline) { _ = try result.get() }
        } catch {
            guard error.commitIsUnknown else { throw error }
            logger.warning(
                "the answer to a COMMIT is lost: looking whether it was done", metadata: ["error": "\(error)"])
            let before = term.commits
            try reconnect(untilStopped: true)
            guard term.commits == before + 1 else { throw NotCommitted() }
            return
        }
        term.commits += 1
        term.head = head
    }

    // MARK: The connection

    /// - Throws: when nothing may be written, or can be for the moment.
    private func admit() throws(EngineError) {
        guard !isClosed else { throw .closed }
        guard !isSuperseded else { throw .superseded }
        if let met = metFullDisk, tuning.uptime() - met < .seconds(1) { throw .full }
        guard set.connection.isClosed else { return }
        do { try reconnect(untilStopped: false) } catch { throw failed(EngineError(error)) }
    }

    /// Opens another connection and raises the term, so that whatever the lost one had sent cannot be committed any more.
    ///
    /// - Parameter untilStopped: tries again until it succeeds or the service ends. Else once.
    private func reconnect(untilStopped: Bool) throws {
        while true {
            guard !remote.isInterrupted else { throw EngineError.closed }
            do {
                (set.connection, term) = try server.renew(term, logger: logger)
                logger.notice("PostgreSQL is connected again", metadata: ["term": "\(term.term)"])
                return
            } catch {
                let error = EngineError(error)
                guard untilStopped, error != .superseded else { throw error }
                remote.enter(.unreachable("\(error)"))
                remote.sleep(.milliseconds(250))
            }
        }
    }

    private func failed(_ error: EngineError) -> EngineError {
        metFullDisk = error == .full ? tuning.uptime() : nil
        switch error {
        case .superseded:
            isSuperseded = true
            remote.enter(.superseded)
        case .full: remote.enter(.full(room: nil, reserve: 0))
        case .unreachable(let why): remote.enter(.unreachable(why))
        case .io(let why): remote.enter(.failing(why))
        default: break
        }
        return error
    }

    func recover() {
        guard !isClosed, !isSuperseded else { return }
        do {
            if set.connection.isClosed { try reconnect(untilStopped: false) }
            // Commits show others that this storage lives. Without any it says so.
            if term.commits == seenCommits || metFullDisk != nil { try term.beat(set.connection) }
            seenCommits = term.commits
            metFullDisk = nil
            remote.enter(.writable)
        } catch {
            _ = failed(EngineError(error))
        }
    }

    // MARK: Upkeep

    func compact(below rev: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        floor = try fenced { tables in try LogFloor.raise(tables, to: rev, limit: limit) }
        return floor
    }

    func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        try admit()
        let searched = remote.condition == .writable ? readerBehind.index.progress.value : nil
        let kept: UInt64
        do {
            // Read without a transaction that would be made every second for nothing.
            kept = try retention.firstKept(
                PostgreSQLUpkeepTables(set.connection), searched: searched, now: now, limit: limit)
        } catch {
            throw failed(EngineError(error))
        }
        return kept > floor ? try compact(below: kept, limit: limit) : floor
    }

    func sweepTracks(age: Duration, now: UInt64) throws(EngineError) -> Int {
        try admit()
        do {
            let sweep = try TrackSweep(
                PostgreSQLUpkeepTables(set.connection), from: sweptTrack,
                age: age > .zero ? UInt64(age / .milliseconds(1)) : nil, now: now, limit: TrackSweep.mostPoints)
            if sweep.points > 0 { try fenced { tables in try tables.deletePoints(sweep.old) } }
            sweptTrack = sweep.after
            return sweep.points
        } catch {
            throw failed(EngineError(error))
        }
    }

    /// In a transaction that only the writer can commit.
    private func fenced<Value>(_ body: (PostgreSQLUpkeepTables) throws -> Value) throws(EngineError) -> Value {
        try admit()
        let connection = set.connection
        do {
            return try connection.inTransaction {
                try term.require(connection)
                return try body(PostgreSQLUpkeepTables(connection))
            }
        } catch {
            throw failed(EngineError(error))
        }
    }

    func accountNews() throws(EngineError) -> AccountNews {
        try admit()
        do { return try PostgreSQLAccounts(set.connection).news(since: 0) } catch { throw failed(EngineError(error)) }
    }

    var hasOwnerTask: Bool {
        guard !isClosed, !isSuperseded, !set.connection.isClosed else { return false }
        return (try? PostgreSQLOwnerTaskTable(set: set).first() != nil) ?? false
    }

    // MARK: Ending

    func close() {
        guard !isClosed else { return }
        isClosed = true
        readerBehind.index.close()
        readerBehind.copier.close()
        pool.close()
        // Its end gives the lock back, so that a storage that waits takes over at once.
        set.connection.close()
        directory?.leaveInOrder()
        directory = nil
    }
}
