// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Landmarks

// What a row holds is input like any other: a damaged file must end in an error, where GRDB's own conversions trap.

extension Row {
    func bits(_ column: Int) throws(EngineError) -> UInt64 {
        UInt64(bitPattern: try value(column, Int64.self))
    }

    func data(_ column: Int) throws(EngineError) -> Data { try value(column, Data.self) }

    func text(_ column: Int) throws(EngineError) -> String { try value(column, String.self) }

    func isNull(_ column: Int) -> Bool { (self[column] as DatabaseValue).isNull }

    private func value<Value: DatabaseValueConvertible>(
        _ column: Int, _ type: Value.Type
    ) throws(EngineError) -> Value {
        guard let value = Value.fromDatabaseValue(self[column] as DatabaseValue) else {
            throw .corrupted("a value is of the wrong type")
        }
        return value
    }
}

extension UInt64 {
    /// SQLite's integers are signed: the same 64 bits. GRDB would trap at the upper half.
    var bits: Int64 { Int64(bitPattern: self) }
}

extension Statement {
    /// Executes it with these values, as many as it has parameters.
    ///
    /// They are bound one by one: GRDB's `execute(arguments:)` copies them three times, at more than SQLite's own work
    /// on a small row.
    func run<each Value: StatementBinding>(_ values: repeat each Value) throws {
        setUncheckedArguments(StatementArguments())
        var index: CInt = 0
        for value in repeat each values {
            index += 1
            // It fails only for an index or a size out of range, and then the step says so.
            _ = value.bind(to: sqliteStatement, at: index)
        }
        do {
            try execute()
        } catch {
            // sqlite3_reset returns the error of the step before it, and GRDB would stop at that at the next use.
            try? setArguments(StatementArguments(repeatElement(DatabaseValue.null, count: Int(index))))
            throw error
        }
    }

    /// Its first row, read whole.
    func one(_ values: (any DatabaseValueConvertible)...) throws -> Row? {
        try Row.fetchOne(self, arguments: StatementArguments(values))
    }
}
