// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The current row of a statement. It is valid until the statement's next step; afterwards every column is NULL or a
/// column of a later row. Columns are counted from 0.
public struct StatementRow {
    // Kept, so that the statement's memory is valid as long as the row exists.
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    public func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    public func integer(_ column: Int) throws(RowError) -> Int64 {
        guard type(column) == SQLITE_INTEGER else { throw .wrongType }
        return sqlite3_column_int64(statement.handle, CInt(truncatingIfNeeded: column))
    }

    public func real(_ column: Int) throws(RowError) -> Double {
        guard type(column) == SQLITE_FLOAT else { throw .wrongType }
        return sqlite3_column_double(statement.handle, CInt(truncatingIfNeeded: column))
    }

    public func string(_ column: Int) throws(RowError) -> String {
        guard type(column) == SQLITE_TEXT else { throw .wrongType }
        let column = CInt(truncatingIfNeeded: column)
        guard let start = sqlite3_column_text(statement.handle, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement.handle, column)))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// Calls `body` with the bytes of a blob, which are valid only inside `body`.
    public func withBlob<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) throws(RowError) -> Value {
        guard type(column) == SQLITE_BLOB else { throw .wrongType }
        let column = CInt(truncatingIfNeeded: column)
        // An empty blob has no base address.
        guard let start = sqlite3_column_blob(statement.handle, column) else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement.handle, column))))
    }

    /// Returns the type of a column; the type of NULL if the column does not exist.
    private func type(_ column: Int) -> CInt {
        sqlite3_column_type(statement.handle, CInt(truncatingIfNeeded: column))
    }

    /// Returns a cursor over the rows of a statement. Nothing else may run the statement until the cursor is released.
    public static func fetchCursor(
        _ statement: Statement, arguments: [(any SQLValue)?] = []
    ) throws(DatabaseError) -> RowCursor {
        try statement.bind(arguments)
        return RowCursor(statement)
    }
}

/// Steps through the rows of a statement.
public final class RowCursor {
    private let statement: Statement
    private var isAtEnd = false

    fileprivate init(_ statement: Statement) { self.statement = statement }

    deinit { statement.reset() }

    /// Returns the next row, which makes the row before it invalid; nil after the last row.
    public func next() throws(DatabaseError) -> StatementRow? {
        guard !isAtEnd else { return nil }
        // Must also be set after an error, because another step would start again with the first row.
        isAtEnd = true
        guard try statement.step() else { return nil }
        isAtEnd = false
        return StatementRow(statement)
    }
}
