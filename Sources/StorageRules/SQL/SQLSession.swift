// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A database connection for statements that both databases take unchanged. Tables that are not hot are written once,
/// on top of it.
///
/// Parameters are `$1`, `$2`, … and first appear in this order: PostgreSQL goes by the number, SQLite by the first
/// appearance. Debug builds check it when SQLite prepares a statement.
package protocol SQLSession {
    var dialect: SQLDialect { get }
    func write(_ sql: String, _ values: [StoredValue]) throws
    /// Runs the statement once for each row of values.
    func write(_ sql: String, each rows: [[StoredValue]]) throws
    /// Passes on the rows in order, until `body` returns false. A row is valid only inside `body`.
    func forEach(_ sql: String, _ values: [StoredValue], _ body: (any StoredRow) throws -> Bool) throws
    /// Writes what is held back in memory, for a statement that has to see it.
    func settle() throws
}

/// Differences between the databases.
package struct SQLDialect {
    /// Selects the newest revision and the number of landmarks.
    let head: String
    /// The head if ``head`` selects no row; nil if it always selects one.
    let emptyHead: Head?
    /// Selects the first half of the greatest id ever removed.
    package let newestRemoved: String
    /// Selects the number of tables named `$1`.
    package let tables: String
    /// Selects the size of the database in bytes.
    let bytes: String
    /// Whether a text can hold a NUL.
    let storesNUL: Bool

    package init(
        head: String, emptyHead: Head?, newestRemoved: String, tables: String, bytes: String, storesNUL: Bool
    ) {
        (self.head, self.emptyHead, self.newestRemoved) = (head, emptyHead, newestRemoved)
        (self.tables, self.bytes, self.storesNUL) = (tables, bytes, storesNUL)
    }
}

/// A row of a result. Columns count from 0. A row's contents are input like any other: damage must end in an error.
package protocol StoredRow {
    func isNull(_ column: Int) -> Bool
    func bits(_ column: Int) throws -> UInt64
    func double(_ column: Int) throws -> Double
    func text(_ column: Int) throws -> String
    func bytes(_ column: Int) throws -> [UInt8]
    func data(_ column: Int) throws -> Data
}

extension SQLSession {
    package func settle() {}

    /// - Returns: the result of `read` on the first row; nil if there is no row.
    package func value<Value>(
        _ sql: String, _ values: [StoredValue] = [], read: (any StoredRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try forEach(sql, values) { row in
            value = try read(row)
            return false
        }
        return value
    }

    package func values<Value>(
        _ sql: String, _ values: [StoredValue] = [], read: (any StoredRow) throws -> Value
    ) throws -> [Value] {
        var all: [Value] = []
        try forEach(sql, values) { row in
            all.append(try read(row))
            return true
        }
        return all
    }

    package func count(_ sql: String, _ values: [StoredValue] = []) throws -> Int {
        Int(clamping: try value(sql, values) { row in try row.bits(0) } ?? 0)
    }

    /// Reads rows in the order of a number, in pieces. A page of large rows ends before its limit, and pieces keep
    /// small what was read for nothing.
    ///
    /// - Parameters:
    ///   - sql: takes `values`, then the number after which to begin, then the limit.
    ///   - first: the number of rows in the first piece.
    ///   - body: returns the row's number, and whether to continue.
    func inPieces(
        _ sql: String, _ values: [StoredValue] = [], after start: UInt64, limit: Int, first: Int = 1_000,
        _ body: (any StoredRow) throws -> (UInt64, Bool)
    ) throws {
        var (left, last, piece) = (limit, start, first)
        while left > 0 {
            let count = min(left, piece)
            var (read, goesOn) = (0, true)
            try forEach(sql, values + [.bits(last), .int(count)]) { row in
                read += 1
                (last, goesOn) = try body(row)
                return goesOn
            }
            guard goesOn, read == count else { return }
            left -= count
            piece = 1_000
        }
    }
}
