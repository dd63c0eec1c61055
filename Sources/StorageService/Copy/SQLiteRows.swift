// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The rows of a database of SQLite, inside one of its transactions.
struct SQLiteRows: CopiedTarget {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func head() throws -> CopiedHead {
        let newest = try db.makeStatement(sql: "SELECT key FROM newest").first { row in try row.bits(0) }
        return CopiedHead(
            epoch: try SQLiteChangeTable.epoch(db), head: try SQLiteChangeTable.head(db), newest: newest ?? 0,
            run: try RunTable.last(db))
    }

    func count(of table: CopiedTable) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.name)") ?? 0
    }

    func rows(of table: CopiedTable, after key: [CopiedValue], limit: Int) throws -> [[CopiedValue]] {
        let places = Array(repeating: "?", count: table.keys).joined(separator: ", ")
        let beyond = key.isEmpty ? "" : "WHERE (\(table.keyList)) > (\(places))"
        let statement = try db.cachedStatement(
            sql: "SELECT \(table.list) FROM \(table.name) \(beyond) ORDER BY \(table.keyList) LIMIT ?")
        let cursor = try Row.fetchCursor(statement, arguments: key.map(\.sqlite) + [limit])
        var rows: [[CopiedValue]] = []
        while let row = try cursor.next() {
            rows.append(try table.columns.enumerated().map { try Self.value(row, $0.offset, $0.element.kind) })
        }
        return rows
    }

    private static func value(_ row: Row, _ column: Int, _ kind: CopiedTable.Kind) throws -> CopiedValue {
        guard !row.isNull(column) else { return .null }
        return switch kind {
        case .integer: .integer(try row.integer(column))
        case .real: .real(try row.double(column))
        case .text: .text(try row.text(column))
        case .blob: .blob(try row.bytes(column))
        }
    }

    func claim() throws -> String? {
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name = 'copying'") == 1 else {
            return nil
        }
        return try String.fetchOne(db, sql: "SELECT source FROM copying")
    }

    func claim(for source: CopiedHead) throws {
        try db.execute(sql: "CREATE TABLE copying (source TEXT NOT NULL) STRICT")
        try db.execute(sql: "INSERT INTO copying VALUES (?)", arguments: [source.text])
    }

    func lastKey(of table: CopiedTable) throws -> [CopiedValue] {
        let order = table.columns.prefix(table.keys).map { "\"\($0.name)\" DESC" }.joined(separator: ", ")
        return try db.makeStatement(sql: "SELECT \(table.list) FROM \(table.name) ORDER BY \(order) LIMIT 1").first {
            row in
            try table.columns.prefix(table.keys).enumerated().map { try Self.value(row, $0.offset, $0.element.kind) }
        } ?? []
    }

    func append(_ rows: [[CopiedValue]], to table: CopiedTable) throws {
        let places = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
        let statement = try db.cachedStatement(sql: "INSERT INTO \(table.name) (\(table.list)) VALUES (\(places))")
        for row in rows { try statement.run(all: row.map(\.sqlite)) }
    }

    func finish(_ head: CopiedHead) throws {
        try db.execute(sql: "DROP TABLE IF EXISTS copying")
        try db.execute(sql: "UPDATE newest SET key = ?", arguments: [head.newest.bits])
        try db.execute(
            sql: "UPDATE history SET epoch_high = ?, epoch_low = ?",
            arguments: [head.epoch.high.bits, head.epoch.low.bits])
    }
}

extension CopiedValue {
    fileprivate var sqlite: (any SQLValue)? {
        switch self {
        case .null: nil
        case .integer(let value): value
        case .real(let value): value
        case .text(let value): value
        case .blob(let value): value
        }
    }
}
