// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection. One thread at a time uses it, inside the closure that it is given to.
public final class Database {
    /// Nil once the connection is closed.
    private(set) var connection: OpaquePointer?
    private var cache: [String: Statement] = [:]
    /// Whether a read runs, in which statements that write are refused.
    private var isReading = false
    let isReadOnly: Bool

    /// - Parameters:
    ///   - path: `:memory:` for a database without a file.
    ///   - alone: whether no other process uses the file as long as it is open here. The index of its write-ahead log
    ///     is then in this process's memory, where all its connections share it, and needs no room on the disk.
    /// - Throws: ``DatabaseError``, also if the file is not a database.
    init(path: String, _ configuration: Configuration, alone: Bool = false) throws(DatabaseError) {
        isReadOnly = configuration.readonly
        var opened: OpaquePointer?
        let code =
            alone
            ? sqlite3_open_v2(path, &opened, configuration.flagsAlone, "unix-excl")
            : sqlite3_open_v2(path, &opened, configuration.openFlags, nil)
        guard code == SQLITE_OK, let opened else {
            let error = DatabaseError(code, opened)
            // SQLite may make a connection even on an error, which has to be closed. Closing nil does nothing.
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, configuration.busyMilliseconds)
        waymark_sqlite_refuse_double_quoted_texts(opened)
        if alone, configuration.readonly { waymark_sqlite_keep_log_at_end(opened) }
        // SQLite reads the file only now, and reports if it is not a database. From here on `deinit` closes the
        // connection.
        try execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
    }

    deinit { close() }

    /// Statements that are still held keep the file open until the last of them is released.
    func close() {
        cache.removeAll()
        sqlite3_close_v2(connection)
        connection = nil
    }

    /// - Throws: ``DatabaseError/closed``.
    func open() throws(DatabaseError) -> OpaquePointer {
        guard let connection else { throw .closed }
        return connection
    }

    // MARK: Statements

    /// The statement that was prepared for this text before, or a new one. The texts are the program's own, so there
    /// are few of them.
    public func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
        if let known = cache[sql] {
            try admit(known)
            // A cursor is still stepping through the known statement.
            if sqlite3_stmt_busy(known.handle) != 0 { return try Statement(self, sql: sql) }
            return known
        }
        let statement = try Statement(self, sql: sql)
        cache[sql] = statement
        return statement
    }

    /// Runs one or more statements to their end. They take the arguments in order.
    public func execute(sql: String, arguments: [(any SQLValue)?] = []) throws(DatabaseError) {
        let connection = try open()
        var rest = Array(sql.utf8)[...]
        var arguments = arguments[...]
        while !rest.isEmpty {
            var handle: OpaquePointer?
            var used = 0
            let code = rest.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(connection, start, CInt(clamping: bytes.count), 0, &handle, &tail)
                if let start, let tail { used = tail - start }
                return code
            }
            guard code == SQLITE_OK else { throw DatabaseError(code, connection, sql: sql) }
            // SQLite stops at a NUL character, as if the text ended there.
            rest = used == 0 ? [] : rest.dropFirst(used)
            // Spaces and comments are no statement.
            guard let handle else { continue }
            let statement = Statement(handle, connection, sql: sql)
            try admit(statement)
            try statement.bind(arguments.prefix(statement.parameters))
            arguments = arguments.dropFirst(statement.parameters)
            try statement.run()
        }
        guard arguments.isEmpty else { throw DatabaseError(.range, "the statement has too many arguments", sql: sql) }
    }

    /// - Throws: ``DatabaseError`` if the statement would write inside a read.
    func admit(_ statement: Statement) throws(DatabaseError) {
        guard !isReading || sqlite3_stmt_readonly(statement.handle) != 0 else {
            throw DatabaseError(.readOnly, "this is a read, and the statement writes", sql: statement.sql)
        }
    }

    /// Runs `body` in one transaction, which sees one state of the database and cannot write.
    ///
    /// `PRAGMA query_only` would refuse writes too, but each use of it makes SQLite prepare every statement of the
    /// connection anew.
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
