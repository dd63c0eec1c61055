// SPDX-License-Identifier: Apache-2.0

/// Errors when a value is not what the reader asked for, because a server may have another schema.
public enum ColumnError: Error, Hashable, CustomStringConvertible {
    case noColumn(Int)
    case isNull(column: Int)
    /// The value has another type than expected: the one with this object id in `pg_type`.
    case wrongType(column: Int, oid: UInt32)
    case notUTF8(column: Int)
    /// The length of the value does not fit its type.
    case damaged(column: Int)

    public var description: String {
        switch self {
        case .noColumn(let column): "there is no column \(column): correct the query"
        case .isNull(let column): "column \(column) is NULL: correct the row, or ask whether it is NULL first"
        case .wrongType(let column, let oid): "column \(column) is of type \(oid): correct the query or the schema"
        case .notUTF8(let column): "column \(column) is not valid UTF-8: correct the row"
        case .damaged(let column): "column \(column) has a wrong length: look for what changes the connection's data"
        }
    }
}
