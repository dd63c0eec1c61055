// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Dispatch
import Synchronization

/// A database connection with a queue of its own. It is opened when it is first used.
final class SerialDatabase: @unchecked Sendable {
    // `database` and `isClosed` are used only on `queue`, which runs one closure at a time.
    private let queue: DispatchQueue
    private let path: String
    private let configuration: Configuration
    private var database: Database?
    private var isClosed = false
    /// The open connection, for other threads, which may only interrupt it; nil before it is opened, and again before
    /// it is closed.
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

    /// Ends the statement that is running with ``ResultCode/interrupted``.
    func interrupt() {
        running.withLock { running in
            if let running { sqlite3_interrupt(running.connection) }
        }
    }

    /// Closes the connection after all closures that are already in the queue.
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

    /// Opens the database. If there is no room for the index of the log, excludes other processes, so that the index
    /// needs no room. A full disk must not prevent reads.
    private func made() throws(DatabaseError) -> Database {
        do throws(DatabaseError) {
            return try Database(path: path, configuration)
        } catch {
            guard error.extendedResultCode == .noRoomForIndex else { throw error }
            return try Database(path: path, configuration, alone: true)
        }
    }
}

/// A connection for `sqlite3_interrupt`, which any thread may call while the connection is open.
private struct Interruptible: @unchecked Sendable {
    let connection: OpaquePointer
}
