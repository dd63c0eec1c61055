// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import PostgreSQL

// What a row holds is input like any other: damage must end in an error.

extension Row {
    func bits(_ column: Int) throws(EngineError) -> UInt64 {
        do throws(ColumnError) { return UInt64(bitPattern: try int8(column)) } catch { throw EngineError(error) }
    }

    func double(_ column: Int) throws(EngineError) -> Double {
        do throws(ColumnError) { return try float8(column) } catch { throw EngineError(error) }
    }

    func data(_ column: Int) throws(EngineError) -> Data {
        do throws(ColumnError) { return try withBytea(column) { Data($0) } } catch { throw EngineError(error) }
    }

    func bytes(_ column: Int) throws(EngineError) -> [UInt8] {
        do throws(ColumnError) { return try bytea(column) } catch { throw EngineError(error) }
    }
}

extension Parameter {
    /// The same 64 bits.
    static func bits(_ value: UInt64) -> Parameter { .int8(Int64(bitPattern: value)) }

    static func column(_ values: [UInt64]) -> Parameter { .int8Array(values.map { Int64(bitPattern: $0) }) }
}

extension Connection {
    /// Runs a statement that is prepared the first time.
    @discardableResult
    func rows(_ sql: String, _ parameters: [Parameter] = []) throws(PostgreSQLError) -> Rows {
        try run(prepare(sql, parameters.map(\.type)), parameters)
    }

    /// - Returns: what `read` makes of the first row; nil when there is none.
    func first<Value>(_ sql: String, _ parameters: [Parameter] = [], read: (Row) throws -> Value) throws -> Value? {
        try rows(sql, parameters).first.map(read)
    }
}

extension Pipeline {
    mutating func add(
        _ connection: Connection, _ sql: String, _ parameters: [Parameter] = []
    ) throws(PostgreSQLError) {
        try run(connection.prepare(sql, parameters.map(\.type)), parameters)
    }
}
