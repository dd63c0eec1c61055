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

    public func double(_ column: Int) throws(RowError) -> Double {
        guard type(column) == SQLITE_FLOAT else { throw .wrongType }
        return sqlite3_column_double(statement.handle, CInt(truncatingIfNeeded: column))
    }

    public func text(_ column: Int) throws(RowError) -> String {
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
}
