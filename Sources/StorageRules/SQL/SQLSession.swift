// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A database connection for statements that both databases run unchanged. Seldom used tables are written once, on top
/// of this protocol.
///
/// Parameters are named `$1`, `$2`, … and must first appear in this order, because PostgreSQL takes them by number and
/// SQLite by first appearance. Debug builds check the order when SQLite prepares a statement.
package protocol SQLSession {
    var dialect: SQLDialect { get }
    func write(_ sql: String, _ values: [StoredValue]) throws
    /// Runs the statement once for each element of `rows`.
    func write(_ sql: String, each rows: [[StoredValue]]) throws
    /// Calls `body` for each row in order, until `body` returns false. A row is valid only inside `body`.
    func forEach(_ sql: String, _ values: [StoredValue], _ body: (any StoredRow) throws -> Bool) throws
    /// Writes the rows that are still held back in memory, so that the next statement sees them.
    func settle() throws
}

/// The SQL that differs between the two databases.
package struct SQLDialect {
    /// Selects the newest revision and the number of landmarks.
    let head: String
    /// The head of an empty database, for which ``head`` selects no row; nil if ``head`` always selects a row.
    let emptyHead: Head?
    /// Selects the first half of the greatest id that was ever removed.
    package let newestRemoved: String
    /// Selects the number of tables named `$1`.
    package let tables: String
    /// Selects the size of the database in bytes.
    let bytes: String
    /// Whether a text can hold a NUL character.
    let storesNUL: Bool

    package init(
        head: String, emptyHead: Head?, newestRemoved: String, tables: String, bytes: String, storesNUL: Bool
    ) {
        (self.head, self.emptyHead, self.newestRemoved) = (head, emptyHead, newestRemoved)
        (self.tables, self.bytes, self.storesNUL) = (tables, bytes, storesNUL)
    }
}

/// A row of a result. Columns are counted from 0. The contents may be damaged; reading damaged contents must throw.
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

    /// Runs a query, and returns the result of `read` for the first row; nil if there is no row.
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

    /// Reads the rows whose last condition is one of many numbers, in no order.
    ///
    /// - Parameters:
    ///   - sql: takes `values`, and ends with the column of the numbers.
    ///   - most: how many numbers each query looks for.
    func forEach(
        _ sql: String, _ values: [StoredValue] = [], in numbers: [UInt64], atOnce most: Int,
        _ body: (any StoredRow) throws -> Void
    ) throws {
        let places = (1...most).map { "$\(values.count + $0)" }.joined(separator: ", ")
        for start in stride(from: 0, to: numbers.count, by: most) {
            var some = numbers[start...].prefix(most).map { StoredValue.bits($0) }
            // Unused parameters repeat the first number, so that one prepared statement serves any number of them.
            some += Array(repeating: some[0], count: most - some.count)
            try forEach("\(sql) IN (\(places))", values + some) { row in
                try body(row)
                return true
            }
        }
    }

    /// Reads rows in the order of an integer column, in several queries, so that few rows are read in vain if `body`
    /// stops before the limit.
    ///
    /// - Parameters:
    ///   - sql: takes `values`, then the integer after which to begin, then the limit.
    ///   - first: the number of rows that the first query reads.
    ///   - body: returns the row's integer, and whether to continue.
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
