// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection. Only one thread at a time may use it, inside the closure that gets it as an argument.
public final class Database {
    /// The connection of SQLite; nil if it is closed.
    private(set) var connection: OpaquePointer?
    private var cache: [String: Statement] = [:]
    /// Whether a read is running. Statements that would write are refused meanwhile.
    private var isReading = false

    /// - Parameters:
    ///   - path: the path of the file; `:memory:` for a database in memory.
    ///   - alone: whether no other process uses the file while it is open here. Then the index of the write-ahead log
    ///     is in the memory of this process, shared by all its connections, and needs no room on the disk.
    /// - Throws: ``DatabaseError``, for example if the file is not a database.
    init(path: String, _ configuration: Configuration, alone: Bool = false) throws(DatabaseError) {
        var opened: OpaquePointer?
        let code =
            alone
            ? sqlite3_open_v2(path, &opened, configuration.flagsAlone, "unix-excl")
            : sqlite3_open_v2(path, &opened, configuration.openFlags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code, opened)
            // Even after an error, SQLite may have made a connection, which must be closed. Closing nil does nothing.
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, configuration.busyMilliseconds)
        waymark_sqlite_refuse_double_quoted_texts(opened)
        if alone, configuration.readonly { waymark_sqlite_keep_log_at_end(opened) }
        // SQLite first reads the file here, and reports if it is not a database. From here on, `deinit` closes the
        // connection.
        try execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
    }

    deinit { close() }

    /// Closes the connection. Statements that are still held keep the file open until the last of them is released.
    func close() {
        cache.removeAll()
        sqlite3_close_v2(connection)
        connection = nil
    }

    /// Returns SQLite's connection. Throws ``DatabaseError/closed`` if it is closed.
    func open() throws(DatabaseError) -> OpaquePointer {
        guard let connection else { throw .closed }
        return connection
    }

    // MARK: Statements

    /// Returns the statement that was prepared for this text before, or prepares a new one. The texts are constants of
    /// the program, so there are few.
    public func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
        if let known = cache[sql] {
            try admit(known)
            // The rows of the known statement are still being read.
            if sqlite3_stmt_busy(known.handle) != 0 { return try Statement(self, sql: sql) }
            return known
        }
        let statement = try Statement(self, sql: sql)
        cache[sql] = statement
        return statement
    }

    /// Runs one or more statements to their end. The statements take the arguments in order.
    public func execute(sql: String, arguments: [(any SQLValue)?] = []) throws(DatabaseError) {
        let connection = try open()
        var arguments = arguments[...]
        try Array(sql.utf8CString).withUnsafeBufferPointer { (text) throws(DatabaseError) in
            var rest = text.baseAddress
            // A NUL character ends the text, wherever it is.
            while let start = rest, start.pointee != 0 {
                var handle: OpaquePointer?
                let code = sqlite3_prepare_v3(connection, start, -1, 0, &handle, &rest)
                guard code == SQLITE_OK else { throw DatabaseError(code, connection, sql: sql) }
                // Spaces and comments make no statement.
                guard let handle else { continue }
                let statement = Statement(handle, connection, sql: sql)
                try admit(statement)
                try statement.bind(arguments.prefix(statement.parameters))
                arguments = arguments.dropFirst(statement.parameters)
                try statement.run()
            }
        }
        guard arguments.isEmpty else { throw DatabaseError(.range, "the statement has too many arguments", sql: sql) }
    }

    /// Throws ``DatabaseError`` if a read is running and the statement would write.
    func admit(_ statement: Statement) throws(DatabaseError) {
        guard !isReading || sqlite3_stmt_readonly(statement.handle) != 0 else {
            throw DatabaseError(.readOnly, "this is a read, and the statement writes", sql: statement.sql)
        }
    }

    /// Runs `body` in a transaction, which sees one state of the database and cannot write.
    ///
    /// `PRAGMA query_only` would refuse writes too, but using it makes SQLite prepare all statements again.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").run()
        isReading = true
        defer {
            isReading = false
            if isInsideTransaction { try? rollback() }
        }
        return try body(self)
    }
}
