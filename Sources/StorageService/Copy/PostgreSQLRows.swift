// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL

/// The rows of a database in PostgreSQL, inside a transaction.
struct PostgreSQLRows: CopiedTarget {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func head() throws -> CopiedHead {
        let found = try connection.first("SELECT epoch_high, epoch_low, rev, landmarks, newest FROM history") { row in
            CopiedHead(
                epoch: UUIDv7(high: try row.bits(0), low: try row.bits(1)),
                head: Head(rev: try row.bits(2), landmarks: try row.bits(3)), newest: try row.bits(4))
        }
        guard var found else { throw EngineError.corrupted("it has no history") }
        found.run = try connection.first("SELECT run_high, run_low FROM runs ORDER BY id DESC LIMIT 1") { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
        return found
    }

    func count(of table: CopiedTable) throws -> Int {
        Int(clamping: try connection.first("SELECT count(*) FROM \(table.name)") { row in try row.bits(0) } ?? 0)
    }

    func rows(of table: CopiedTable, after key: [CopiedValue], limit: Int) throws -> [[CopiedValue]] {
        let places = (1...table.keys).map { "$\($0)" }.joined(separator: ", ")
        let beyond = key.isEmpty ? "" : "WHERE (\(table.keyList)) > (\(places))"
        let parameters = try zip(table.columns, key).map { try $1.parameter($0.kind) }
        return try connection.rows(
            "SELECT \(table.list) FROM \(table.name) \(beyond) ORDER BY \(table.keyList) LIMIT $\(key.count + 1)",
            parameters + [.int8(Int64(limit))]
        ).map { row in try table.columns.enumerated().map { try Self.value(row, $0.offset, $0.element.kind) } }
    }

    private static func value(_ row: Row, _ column: Int, _ kind: CopiedTable.Kind) throws -> CopiedValue {
        guard !row.isNull(column) else { return .null }
        return switch kind {
        case .integer: .integer(try row.int8(column))
        case .real: .real(try row.float8(column))
        case .text: .text(try row.text(column))
        case .blob: .blob(try row.bytea(column))
        }
    }

    func claim() throws -> String? {
        guard try connection.execute("SELECT to_regclass('copying') IS NOT NULL").first?.bool(0) == true else {
            return nil
        }
        return try connection.execute("SELECT source FROM copying").first?.text(0)
    }

    func claim(for source: CopiedHead) throws {
        try connection.execute("CREATE TABLE copying (source text NOT NULL)")
        try connection.execute("INSERT INTO copying VALUES ($1)", [.text(source.text)])
    }

    func lastKey(of table: CopiedTable) throws -> [CopiedValue] {
        let order = table.columns.prefix(table.keys).map { "\"\($0.name)\" DESC" }.joined(separator: ", ")
        return try connection.first("SELECT \(table.list) FROM \(table.name) ORDER BY \(order) LIMIT 1") { row in
            try table.columns.prefix(table.keys).enumerated().map { try Self.value(row, $0.offset, $0.element.kind) }
        } ?? []
    }

    func append(_ rows: [[CopiedValue]], to table: CopiedTable) throws {
        guard !rows.isEmpty else { return }
        try connection.copy("COPY \(table.name) (\(table.list)) FROM STDIN (FORMAT binary)") { writer in
            for row in rows { try writer.append(try zip(table.columns, row).map { try $1.parameter($0.kind) }) }
        }
    }

    func finish(_ head: CopiedHead) throws {
        try connection.execute("DROP TABLE IF EXISTS copying")
        for table in CopiedTable.all where table.isNumbered {
            let key = table.columns[0].name
            try connection.execute(
                """
                SELECT setval(pg_get_serial_sequence('\(table.name)', '\(key)'), greatest(1, max(\(key))), max(\(key)) > 0)
                FROM \(table.name)
                """)
        }
        let server = try DatabaseIdentity(connection)
        try connection.rows("DELETE FROM history")
        try connection.rows(
            "INSERT INTO history VALUES (1, $1, $2, $3, $4, $5, 0, 0, 0, $6, $7, $8)",
            [
                .bits(head.epoch.high), .bits(head.epoch.low), .bits(head.head.rev), .bits(head.head.landmarks),
                .bits(head.newest),
            ] + server.parameters)
    }
}

extension CopiedValue {
    /// - Throws: for a value of another kind than its column's.
    fileprivate func parameter(_ kind: CopiedTable.Kind) throws -> Parameter {
        switch (kind, self) {
        case (.integer, .integer(let value)): .int8(value)
        case (.integer, .null): .int8(nil)
        case (.real, .real(let value)): .float8(value)
        case (.text, .text(let value)): .text(value)
        case (.text, .null): .text(nil)
        case (.blob, .blob(let value)): .bytea(value)
        default: throw EngineError.corrupted("a row has a value that its column cannot hold")
        }
    }
}
