// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A statement that is run for every row that is written: prepared once, bound and run by plain calls of SQLite.
///
/// GRDB owns the connection, its transactions, and whatever is not run for each row. A statement of its own looks for
/// observers at each execution and is told its values as a list, which takes twice as long as SQLite takes for a small
/// row. Used where the connection is, as `Database` is; let go of before the connection is closed.
final class WriterStatement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    private let sql: String

    init(_ db: Database, sql: String) throws {
        guard let connection = db.sqliteConnection else { throw EngineError.closed }
        (self.connection, self.sql) = (connection, sql)
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
        }
        self.statement = statement
    }

    deinit { sqlite3_finalize(statement) }

    // MARK: Its parameters, from 1 on

    // Binding fails only for an index or a size out of range; then the value is NULL, which no table takes, and the step
    // says so. SQLite copies texts and blobs: they need not outlive the call.

    /// SQLite's integers are signed: the same 64 bits.
    func bind(_ parameter: CInt, _ value: UInt64) { sqlite3_bind_int64(statement, parameter, value.bits) }

    func bind(_ parameter: CInt, _ value: String) {
        var value = value
        value.withUTF8 { bind(parameter, text: UnsafeRawBufferPointer($0)) }
    }

    func bind(_ parameter: CInt, text: UnsafeRawBufferPointer) {
        // Without an address it would be NULL.
        guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self), !text.isEmpty else {
            sqlite3_bind_text(statement, parameter, "", 0, nil)
            return
        }
        sqlite3_bind_text(statement, parameter, start, CInt(clamping: text.count), Self.copied)
    }

    func bind(_ parameter: CInt, _ value: [UInt8]) {
        guard !value.isEmpty else {
            sqlite3_bind_zeroblob(statement, parameter, 0)
            return
        }
        value.withUnsafeBytes { bytes in
            _ = sqlite3_bind_blob(statement, parameter, bytes.baseAddress, CInt(clamping: bytes.count), Self.copied)
        }
    }

    func bindNull(_ parameter: CInt) { sqlite3_bind_null(statement, parameter) }

    /// SQLITE_TRANSIENT: a macro that Swift does not import.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    // MARK: Running it

    /// To its end.
    ///
    /// - Returns: how many rows it has inserted, updated or deleted.
    @discardableResult
    func run() throws -> Int {
        while try step() {}
        sqlite3_reset(statement)
        return Int(sqlite3_changes(connection))
    }

    /// What `read` makes of its first row; nil when there is none.
    func first<Value>(_ read: (WriterRow) throws -> Value) throws -> Value? {
        guard try step() else {
            sqlite3_reset(statement)
            return nil
        }
        defer { sqlite3_reset(statement) }
        return try read(WriterRow(statement))
    }

    /// Whether there is a row.
    private func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = String(cString: sqlite3_errmsg(connection))
            // It returns the error of the step before it.
            sqlite3_reset(statement)
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
        }
    }
}

/// The row that a ``WriterStatement`` is at. What it holds is input like any other: a file may be damaged.
struct WriterRow {
    private let statement: OpaquePointer

    fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

    func bits(_ column: CInt) throws(EngineError) -> UInt64 {
        try require(column, SQLITE_INTEGER)
        return UInt64(bitPattern: sqlite3_column_int64(statement, column))
    }

    func bytes(_ column: CInt) throws(EngineError) -> [UInt8] {
        try require(column, SQLITE_BLOB)
        let start = sqlite3_column_blob(statement, column)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    private func require(_ column: CInt, _ type: CInt) throws(EngineError) {
        guard sqlite3_column_type(statement, column) == type else { throw .corrupted("a value is of the wrong type") }
    }
}
