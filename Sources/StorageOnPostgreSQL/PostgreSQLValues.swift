// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import PostgreSQL
import StorageRules

// The contents of a row may be damaged, and reading damaged contents must throw an error.

extension ResultRow: StoredRow {
    package func bits(_ column: Int) throws(ColumnError) -> UInt64 { UInt64(bitPattern: try int8(column)) }
    package func double(_ column: Int) throws(ColumnError) -> Double { try float8(column) }
    package func data(_ column: Int) throws(ColumnError) -> Data { try withBytea(column) { Data($0) } }
    package func bytes(_ column: Int) throws(ColumnError) -> [UInt8] { try bytea(column) }
}

extension Parameter {
    /// Makes an integer with the same 64 bits.
    static func bits(_ value: UInt64) -> Parameter { .int8(Int64(bitPattern: value)) }

    static func column(_ values: [UInt64]) -> Parameter { .int8Array(values.map { Int64(bitPattern: $0) }) }
}

extension Connection {
    /// Runs a statement. Prepares it when it is run for the first time.
    @discardableResult
    func rows(_ sql: String, _ parameters: [Parameter] = []) throws(PostgreSQLError) -> ResultRows {
        try run(prepare(sql, parameters.map(\.type)), parameters)
    }
}

extension Pipeline {
    mutating func add(
        _ connection: Connection, _ sql: String, _ parameters: [Parameter] = []
    ) throws(PostgreSQLError) {
        try run(connection.prepare(sql, parameters.map(\.type)), parameters)
    }
}

// MARK: Statements of both databases

extension Connection: SQLSession {
    package var dialect: SQLDialect {
        SQLDialect(
            head: "SELECT rev, landmarks FROM history", emptyHead: nil, newestRemoved: "SELECT newest FROM history",
            tables: "SELECT count(to_regclass($1))",
            bytes: """
                SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
                WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
                """, storesNUL: false)
    }

    package func write(_ sql: String, _ values: [StoredValue]) throws { try rows(sql, values.map(\.parameter)) }

    package func write(_ sql: String, each rows: [[StoredValue]]) throws {
        var pipeline = Pipeline()
        for row in rows { try pipeline.add(self, sql, row.map(\.parameter)) }
        for result in try run(pipeline) { _ = try result.get() }
    }

    package func forEach(_ sql: String, _ values: [StoredValue], _ body: (any StoredRow) throws -> Bool) throws {
        for row in try rows(sql, values.map(\.parameter)) { guard try body(row) else { return } }
    }
}

extension StoredValue {
    fileprivate var parameter: Parameter {
        switch self {
        case .integer(let value): .int8(value)
        case .real(let value): .float8(value)
        case .text(let value): .text(value)
        case .blob(let value): .bytea(value)
        }
    }
}
