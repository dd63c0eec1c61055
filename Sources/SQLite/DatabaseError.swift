// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// An error that SQLite reported, or that this module found itself and gave one of SQLite's result codes.
public struct DatabaseError: Error, Hashable, CustomStringConvertible {
    public let extendedResultCode: ResultCode
    /// The error message of SQLite, or of this module.
    public let message: String
    /// The text of the statement; nil if the error belongs to no statement.
    public let sql: String?

    public var resultCode: ResultCode { extendedResultCode.primary }

    /// The error of a call on a closed connection.
    public static let closed = DatabaseError(.misuse, "the database is closed")

    public var description: String {
        "SQLite error \(extendedResultCode.rawValue): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
    }

    init(_ code: ResultCode, _ message: String, sql: String? = nil) {
        (extendedResultCode, self.message, self.sql) = (code, message, sql)
    }

    /// Makes the error of the last call on `connection`. Every connection reports extended codes.
    init(_ code: CInt, _ connection: OpaquePointer?, sql: String? = nil) {
        let reason = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        self.init(ResultCode(rawValue: code), reason.map { String(cString: $0) } ?? "no reason given", sql: sql)
    }
}

/// Errors when a value is not what the reader asked for, because a damaged file may hold anything.
public enum RowError: Error, Hashable, CustomStringConvertible {
    case wrongType
    case notUTF8

    public var description: String {
        switch self {
        case .wrongType: "a value is of the wrong type"
        case .notUTF8: "a text is not valid UTF-8"
        }
    }
}
