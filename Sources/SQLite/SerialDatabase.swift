// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Dispatch
import Synchronization

/// A database on a queue of its own, opened at its first use.
final class SerialDatabase: @unchecked Sendable {
    // `database` and `isClosed` are only touched on `queue`, which runs one piece of work at a time.
    private let queue: DispatchQueue
    private let path: String
    private let configuration: Configuration
    private var database: Database?
    private var isClosed = false
    /// The same connection, for other threads that interrupt it; nil before it is opened, and from just before it is
    /// closed.
    private let running = Mutex<Interruptible?>(nil)

    init(path: String, _ configuration: Configuration, _ role: String) {
        (self.path, self.configuration) = (path, configuration)
        queue = DispatchQueue(label: "\(configuration.label).\(role)", qos: configuration.qos)
    }

    func sync<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.sync { try body(try opened()) }
    }

    func async(_ work: @escaping @Sendable (Result<Database, any Error>) -> Void) {
        queue.async { work(Result { try self.opened() }) }
    }

    /// Ends the running statement with ``ResultCode/interrupted``.
    func interrupt() {
        running.withLock { running in
            if let running { sqlite3_interrupt(running.connection) }
        }
    }

    /// Closes the connection after the work that was begun before.
    func close() {
        queue.sync {
            isClosed = true
            running.withLock { $0 = nil }
            database?.close()
            database = nil
        }
    }

    private func opened() throws(DatabaseError) -> Database {
        if let database { return database }
        guard !isClosed else { throw .closed }
        let database = try made()
        self.database = database
        let connection = Interruptible(connection: try database.open())
        running.withLock { $0 = connection }
        return database
    }

    /// Opens the database. Without room for the log's index the file is opened alone, because a full disk must not
    /// prevent reads.
    private func made() throws(DatabaseError) -> Database {
        do throws(DatabaseError) {
            return try Database(path: path, configuration)
        } catch {
            guard error.extendedResultCode == .noRoomForIndex else { throw error }
            return try Database(path: path, configuration, alone: true)
        }
    }
}

/// A connection for `sqlite3_interrupt`, which any thread may call as long as the connection is open.
private struct Interruptible: @unchecked Sendable {
    let connection: OpaquePointer
}
