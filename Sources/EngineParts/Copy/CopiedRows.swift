// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Values that describe a whole database: its epoch, its head, its newest run, and the greatest id ever removed.
package struct CopiedHead: Hashable, Sendable {
    package var epoch: UUIDv7
    package var head: Head
    /// The first half of the greatest id that was ever removed.
    package var newest: UInt64
    /// The newest run; nil if no run has opened the database yet.
    package var run: UUIDv7?

    /// The values in one line of text, by which a target recognises its source.
    package var text: String {
        "\(epoch) \(head.rev) \(head.landmarks) \(newest) \(run.map { "\($0)" } ?? "-")"
    }
}

/// A database that can be filled with the rows of another database.
package protocol CopiedDatabase: SQLSession {
    func inTransaction<Value>(_ body: () throws -> Value) throws -> Value
    /// Records the history to which the copied rows belong. From then on, storage can use this database.
    func adopt(_ head: CopiedHead) throws
}

/// All rows of a database. They are read from a database that does not change meanwhile, or written to a new database.
package struct CopiedRows {
    /// The number of rows that are in memory at once.
    private static let rowsAtOnce = 1_000
    /// The number of rows that one INSERT statement writes.
    private static let rowsOfStatement = 50

    package let db: any CopiedDatabase

    package init(_ db: any CopiedDatabase) { self.db = db }

    package func head() throws -> CopiedHead {
        let tables = ReadTables(db)
        return CopiedHead(
            epoch: try tables.epoch(), head: try tables.head(),
            newest: try db.value(db.dialect.newestRemoved) { row in try row.bits(0) } ?? 0, run: try tables.runs.last())
    }

    package func count(of table: CopiedTable) throws -> Int { try db.count("SELECT count(*) FROM \(table.name)") }

    /// Returns up to `limit` rows in the order of their keys.
    ///
    /// - Parameter key: the key of the last row before the returned rows; empty to start with the first row.
    func rows(of table: CopiedTable, after key: [StoredValue], limit: Int) throws -> [[StoredValue]] {
        let beyond = key.isEmpty ? "" : "WHERE (\(table.keyList)) > \(Self.places(key.count))"
        return try db.values(
            """
            SELECT \(table.list) FROM \(table.name) \(beyond) ORDER BY \(table.keyList) LIMIT $\(key.count + 1)
            """, key + [.int(limit)]
        ) { row in try Self.values(row, table.columns) }
    }

    /// Calls `body` with all rows after a key, some rows at a time.
    package func forEach(
        of table: CopiedTable, after start: [StoredValue] = [], _ body: ([[StoredValue]]) throws -> Void
    ) throws {
        var key = start
        while true {
            let some = try rows(of: table, after: key, limit: Self.rowsAtOnce)
            guard let last = some.last else { return }
            try body(some)
            key = Array(last.prefix(table.keys))
        }
    }

    /// Returns the key of the last row; empty if there are no rows.
    package func lastKey(of table: CopiedTable) throws -> [StoredValue] {
        let key = table.columns.prefix(table.keys)
        let order = key.map { "\"\($0.name)\" DESC" }.joined(separator: ", ")
        return try db.value("SELECT \(table.keyList) FROM \(table.name) ORDER BY \(order) LIMIT 1") { row in
            try Self.values(row, Array(key))
        } ?? []
    }

    private static func values(_ row: any StoredRow, _ columns: [CopiedTable.Column]) throws -> [StoredValue] {
        try columns.enumerated().map { (place, column) -> StoredValue in
            let isNull = row.isNull(place)
            return switch column.kind {
            case .integer: .integer(isNull ? nil : Int64(bitPattern: try row.bits(place)))
            case .real: .real(isNull ? nil : try row.double(place))
            case .text: .text(isNull ? nil : try row.text(place))
            case .blob: .blob(isNull ? nil : try row.bytes(place))
            }
        }
    }

    // MARK: The target

    /// Returns the text of the source whose copy was begun here; nil if no copy was begun.
    package func claim() throws -> String? {
        guard try db.count(db.dialect.tables, [.text("copying")]) == 1 else { return nil }
        return try db.value("SELECT source FROM copying") { row in try row.text(0) }
    }

    package func claim(for source: CopiedHead) throws {
        try db.write("CREATE TABLE copying (source TEXT NOT NULL)", [])
        try db.write("INSERT INTO copying VALUES ($1)", [.text(source.text)])
    }

    package func append(_ rows: [[StoredValue]], to table: CopiedTable) throws {
        let insert = "INSERT INTO \(table.name) (\(table.list)) VALUES "
        let width = table.columns.count
        let size = Self.rowsOfStatement
        let many = (0..<size).map { Self.places(width, from: $0 * width + 1) }.joined(separator: ", ")
        let whole = rows.count - rows.count % size
        for start in stride(from: 0, to: whole, by: size) {
            try db.write(insert + many, Array(rows[start..<start + size].joined()))
        }
        try db.write(insert + Self.places(width), each: Array(rows[whole...]))
    }

    /// Returns a list of parameters such as `($1, $2, $3)`.
    private static func places(_ count: Int, from first: Int = 1) -> String {
        "(" + (first..<first + count).map { "$\($0)" }.joined(separator: ", ") + ")"
    }

    /// Ends the copy after its last row. Deletes the text of the source, and records the history of the rows.
    package func finish(_ head: CopiedHead) throws {
        try db.write("DROP TABLE IF EXISTS copying", [])
        try db.adopt(head)
    }
}
