// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Landmarks
import Logging
import PostgreSQL

/// The engine for more than one machine. It uses a PostgreSQL database, for which other storages may be waiting.
///
/// The engine blocks the calling thread until the server answers. The changes that the rules decide on are written in
/// one pipeline, which needs one round trip.
package final class PostgreSQLEngine: StorageEngine {
    let session: WriterSession
    private let pool: ConnectionPool
    let tuning: EngineTuning
    /// The locked directory of the text search; nil if the text search is in memory or the engine is closed.
    private var directory: DataDirectory?
    let set: WorkingSet
    let rules: BatchRunner
    package let reader: any StorageReader
    package let index: SearchIndex
    package let copier: any DatabaseCopying
    package let upkeep: EngineUpkeep

    package var position: Position {
        Position(epoch: session.term.epoch, rev: session.term.head.rev, run: session.run)
    }
    package var control: EngineControl { session.control }

    /// Becomes the writer of a database. If another storage is the writer, waits for its end first.
    ///
    /// - Parameters:
    ///   - path: the directory of the text search; nil keeps the text search in memory.
    ///   - control: shows that the engine waits, and can interrupt the wait.
    package init(
        _ server: PostgreSQLServer, directory path: String?, run: UUIDv7, tuning: EngineTuning, control: EngineControl,
        logger: Logger
    ) throws(EngineError) {
        let directory = try path.map { path throws(EngineError) in try DataDirectory(path: path) }
        let taken: PostgreSQLServer.Taken
        do { taken = try server.takeOver(run: run, control: control, logger: logger) } catch {
            let error = EngineError(error)
            throw error == .full ? EngineError.noRoom(place: "\(server.url)") : error
        }
        control.enter(.writable)
        (self.directory, self.tuning) = (directory, tuning)
        let session = WriterSession(server, taken, run: run, control: control, uptime: tuning.uptime, logger: logger)
        self.session = session
        pool = ConnectionPool(server.readers, most: 4)
        do {
            set = WorkingSet(session, newestRemoved: taken.newestRemoved)
            rules = try BatchRunner(.postgreSQL(set), window: tuning.answers, uptime: tuning.uptime(), logger: logger)
            let head = taken.term.head.rev
            let last = try taken.connection.value("SELECT coalesce(max(rev), 0) FROM changes") { row in
                try row.bits(0)
            }
            guard last == head || last == 0 else {
                throw EngineError.corrupted("its head is \(head), and its newest change \(last ?? 0)")
            }
            reader = PostgreSQLReaders(pool: pool, run: run)
            copier = PostgreSQLCopier(pool: pool, folder: directory?.path)
            upkeep = try EngineUpkeep(session, control: control)
            // Opened last, because the index then reads the log: a start that fails must leave no reader at the database.
            index = try SearchIndex(
                path: directory?.search, position: Position(epoch: taken.term.epoch, rev: head, run: run), run: run,
                log: reader, control: control, patience: tuning.searchPatience, logger: logger)
        } catch {
            pool.close()
            throw EngineError(error)
        }
    }

    deinit { close() }

    package func recover() { session.recover() }

    package func close() {
        guard !session.isClosed else { return }
        index.close()
        copier.close()
        pool.close()
        session.close()
        directory?.leaveInOrder()
        directory = nil
    }
}

/// Reads on several connections, each on a thread of its own.
///
/// Each storage that takes over records its run. A storage that was suspended could read what its successor has
/// written, and send it with its own run. Such positions belong to no history. So each read also checks, in the same
/// state of the database, which storage is the writer.
struct PostgreSQLReaders: StorageReader {
    let pool: ConnectionPool
    /// The run of this storage.
    let run: UUIDv7
    /// Nil, because other storages may write.
    let present: UUIDv7? = nil

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTables) throws -> Value
    ) async throws(EngineError) -> Value {
        do {
            return try await pool.read { [run] connection in
                let tables = ReadTables(connection)
                guard try tables.runs.last() == run else { throw EngineError.superseded }
                return try body(tables)
            }
        } catch {
            throw EngineError(error)
        }
    }
}
