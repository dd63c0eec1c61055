// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLite

extension Database: SQLSession {
    package var dialect: SQLDialect {
        SQLDialect(
            head: "SELECT rev, landmarks FROM changes ORDER BY rev DESC LIMIT 1", emptyHead: Head(),
            newestRemoved: "SELECT key FROM newest",
            tables: "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
            bytes: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", storesNUL: true)
    }

    package func write(_ sql: String, _ values: [StoredValue]) throws {
        try cachedStatement(sql: sql).run(all: values.map(\.sqlite))
    }

    package func write(_ sql: String, each rows: [[StoredValue]]) throws {
        let statement = try cachedStatement(sql: sql)
        for row in rows { try statement.run(all: row.map(\.sqlite)) }
    }

    package func forEach(_ sql: String, _ values: [StoredValue], _ body: (any StoredRow) throws -> Bool) throws {
        try cachedStatement(sql: sql).forEach(values.map(\.sqlite)) { row in try body(row) }
    }
}

// The contents of a row may be damaged, and reading damaged contents must throw an error.

extension StatementRow: StoredRow {
    package func bits(_ column: Int) throws(RowError) -> UInt64 { UInt64(bitPattern: try integer(column)) }
    package func data(_ column: Int) throws(RowError) -> Data { try withBlob(column) { Data($0) } }
    package func bytes(_ column: Int) throws(RowError) -> [UInt8] { try withBlob(column) { [UInt8]($0) } }
}

extension StoredValue {
    fileprivate var sqlite: (any SQLValue)? {
        switch self {
        case .integer(let value): value
        case .real(let value): value
        case .text(let value): value
        case .blob(let value): value
        }
    }
}
