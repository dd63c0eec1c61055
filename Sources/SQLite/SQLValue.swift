// SPDX-License-Identifier: Apache-2.0

/// A value that can be bound to a parameter of a statement and read from a column of a row.
public protocol SQLValue {
    func bind(to statement: Statement, at parameter: CInt)

    static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> Self
}

extension SQLValue {
    /// Returns the first column of the first row; nil if there is no row, or if the column is NULL.
    public static func fetchOne(_ db: Database, sql: String, arguments: [(any SQLValue)?] = []) throws -> Self? {
        let rows = try StatementRow.fetchCursor(Statement(db, sql: sql), arguments: arguments)
        guard let row = try rows.next(), !row.isNull(0) else { return nil }
        return try read(row, 0)
    }

    /// Returns the first column of all rows.
    public static func fetchAll(_ db: Database, sql: String, arguments: [(any SQLValue)?] = []) throws -> [Self] {
        let rows = try StatementRow.fetchCursor(Statement(db, sql: sql), arguments: arguments)
        var values: [Self] = []
        while let row = try rows.next() { values.append(try read(row, 0)) }
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

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> Double { try row.real(column) }
}

extension String: SQLValue {
    public func bind(to statement: Statement, at parameter: CInt) { statement.bind(parameter, self) }

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> String { try row.string(column) }
}

extension [UInt8]: SQLValue {
    public func bind(to statement: Statement, at parameter: CInt) { statement.bind(parameter, self) }

    public static func read(_ row: StatementRow, _ column: Int) throws(RowError) -> [UInt8] {
        try row.withBlob(column) { [UInt8]($0) }
    }
}
