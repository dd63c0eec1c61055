// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import PostgreSQL
import Support
import WaymarkProtocol

/// The engine for more than one machine: a PostgreSQL database that other storages may wait for.
///
/// It blocks the thread that calls it, for as long as the server takes. What the rules have decided is written in one
/// pipeline, which is one round trip.
final class PostgreSQLEngine: StorageEngine {
    let server: PostgreSQLServer
    private let pool: ConnectionPool
    let readerBehind: EngineReader
    let tuning: EngineTuning
    let logger: Logger
    /// Holds the lock of the directory with the text search. Nil without one, and once closed.
    private var directory: DataDirectory?
    let set: WorkingSet
    let rules: BatchRunner
    /// Whether this storage's connection has the advisory lock, which others wait for.
    var holdsLock: Bool
    let run: UUIDv7
    var floor: UInt64
    let remote: EngineRemote
    private(set) var isClosed = false
    var isSuperseded = false
    var sweptTrack: UInt64?
    /// When a full disk was met last.
    var metFullDisk: Duration?

    var position: Position { Position(epoch: term.epoch, rev: term.head.rev, run: run) }
    var reader: any StorageReader { readerBehind }

    /// - Parameter place: a connection of the writer, which has taken the term over.
    init(
        _ server: PostgreSQLServer, _ taken: PostgreSQLServer.Taken, directory: DataDirectory?, run: UUIDv7,
        tuning: EngineTuning, remote: EngineRemote, logger: Logger
    ) throws(EngineError) {
        (self.server, self.directory, self.run, self.tuning, self.logger) = (server, directory, run, tuning, logger)
        self.remote = remote
        holdsLock = taken.holdsLock
        pool = ConnectionPool(server.readers)
        do {
            let connection = taken.connection
            set = WorkingSet(connection, taken.term, newestRemoved: taken.newestRemoved)
            rules = try BatchRunner(.postgreSQL(set), window: tuning.answers, uptime: tuning.uptime(), logger: logger)
            let last = try connection.first("SELECT coalesce(max(rev), 0) FROM changes") { row in try row.bits(0) }
            guard last == taken.term.head.rev || last == 0 else {
                throw EngineError.corrupted("its head is \(taken.term.head.rev), and its newest change \(last ?? 0)")
            }
            floor = try PostgreSQLUpkeepTables(connection).floor()
            let log = LogReader(database: PostgreSQLReaders(pool: pool, run: run))
            let position = Position(epoch: taken.term.epoch, rev: taken.term.head.rev, run: run)
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
        do { taken = try server.take(run: run, remote: remote, logger: logger) } catch {
            let error = EngineError(error)
            throw error == .full ? EngineError.noRoom(place: "\(server.url)") : error
        }
        remote.enter(.writable)
        try self.init(
            server, taken, directory: directory, run: run, tuning: tuning, remote: remote, logger: logger)
    }

    deinit { close() }

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
