// SPDX-License-Identifier: Apache-2.0

/// A value that can be bound to a parameter of a statement and read from a column of a row.
public protocol SQLValue {
    func bind(to statement: Statement, at parameter: CInt)

    static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> Self
}

extension SQLValue {
    /// Returns the first column of the first row; nil if there is no row, or if the column is NULL.
    public static func fetchOne(_ db: Database, sql: String, arguments: [(any SQLValue)?] = []) throws -> Self? {
        let statement = try Statement(db, sql: sql)
        try statement.bind(arguments)
        return try statement.first { row -> Self? in row.isNull(0) ? nil : try read(row, 0) } ?? nil
    }

    /// Returns the first column of all rows.
    public static func fetchAll(_ db: Database, sql: String, arguments: [(any SQLValue)?] = []) throws -> [Self] {
        var values: [Self] = []
        try Statement(db, sql: sql).forEach(arguments) { row in
            values.append(try read(row, 0))
            return true
        }
        return values
    }
}

extension SQLValue where Self: SignedInteger {
    public func bind(to statement: Statement, at parameter: CInt) { statement.bind(parameter, Int64(self)) }

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> Self {
        guard let value = Self(exactly: try row.integer(column)) else { throw .wrongType }
        return value
    }
}

extension Int64: SQLValue {}
extension Int: SQLValue {}
extension Int32: SQLValue {}

extension Double: SQLValue {
    public func bind(to statement: Statement, at parameter: CInt) { statement.bind(parameter, self) }

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> Double { try row.double(column) }
}

extension String: SQLValue {
    public func bind(to statement: Statement, at parameter: CInt) { statement.bind(parameter, self) }

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> String { try row.text(column) }
}

extension [UInt8]: SQLValue {
    public func bind(to statement: Statement, at parameter: CInt) { statement.bind(parameter, self) }

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> [UInt8] {
        try row.withBlob(column) { [UInt8]($0) }
    }
}
