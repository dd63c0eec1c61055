// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// One row. Columns are counted from 0. A value is never converted to another type.
public struct ResultRow {
    private let rows: ResultRows
    private let index: Int

    init(_ rows: ResultRows, _ index: Int) { (self.rows, self.index) = (rows, index) }

    /// Whether a value is NULL. Also true if the column does not exist.
    public func isNull(_ column: Int) -> Bool {
        guard isThere(column) else { return true }
        return PQgetisnull(rows.answer.result, CInt(index), CInt(column)) == 1
    }

    public func bool(_ column: Int) throws(ColumnError) -> Bool {
        try bytes(column, .bool, count: 1).first != 0
    }

    public func int4(_ column: Int) throws(ColumnError) -> Int32 {
        Int32(bigEndian: try bytes(column, .int4, count: 4).loadUnaligned(as: Int32.self))
    }

    public func int8(_ column: Int) throws(ColumnError) -> Int64 {
        Int64(bigEndian: try bytes(column, .int8, count: 8).loadUnaligned(as: Int64.self))
    }

    public func float8(_ column: Int) throws(ColumnError) -> Double {
        Double(bitPattern: UInt64(bigEndian: try bytes(column, .float8, count: 8).loadUnaligned(as: UInt64.self)))
    }

    /// Returns the text of a `text`, or of a `varchar`, a `char` or a `name`, which have the same format.
    public func text(_ column: Int) throws(ColumnError) -> String {
        let bytes = try bytes(column, .text, or: Self.otherTexts)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(column: column) }
        return text
    }

    public func bytea(_ column: Int) throws(ColumnError) -> [UInt8] { try withBytea(column) { [UInt8]($0) } }

    /// Calls `body` with bytes that are valid only inside `body`.
    public func withBytea<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) throws(ColumnError) -> Value
    {
        // This row keeps the rows alive, and with them the bytes.
        try withExtendedLifetime(rows) { () throws(ColumnError) in body(try bytes(column, .bytea)) }
    }

    // MARK: Checks

    /// The object ids of name, bpchar and varchar.
    private static let otherTexts: [Oid] = [19, 1042, 1043]

    private func isThere(_ column: Int) -> Bool {
        rows.indices.contains(index) && column >= 0 && column < Int(PQnfields(rows.answer.result))
    }

    private func bytes(
        _ column: Int, _ expected: ParameterType, or others: [Oid] = [], count: Int? = nil
    ) throws(ColumnError) -> UnsafeRawBufferPointer {
        guard isThere(column) else { throw .noColumn(column) }
        let (result, row, field) = (rows.answer.result, CInt(index), CInt(column))
        let type = PQftype(result, field)
        // Only the results of scripts are not binary, and their rows are discarded.
        guard type == expected.oid || others.contains(type), PQfformat(result, field) == 1 else {
            throw .wrongType(column: column, oid: type)
        }
        guard PQgetisnull(result, row, field) == 0 else { throw .isNull(column: column) }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, field), count: Int(PQgetlength(result, row, field)))
        guard count == nil || bytes.count == count else { throw .damaged(column: column) }
        return bytes
    }
}
