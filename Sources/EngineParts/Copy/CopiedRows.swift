// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Values that describe a whole database: its history, its head and its newest removed id.
package struct CopiedHead: Hashable, Sendable {
    package var epoch: UUIDv7
    package var head: Head
    /// The first half of the greatest id ever removed.
    package var newest: UInt64
    /// The newest run; nil if no run has opened the database yet.
    package var run: UUIDv7?

    /// One line of text, by which a target recognises its source.
    package var text: String {
        "\(epoch) \(head.rev) \(head.landmarks) \(newest) \(run.map { "\($0)" } ?? "-")"
    }
}

/// A database that can be filled with rows of another one.
package protocol CopiedDatabase: SQLSession {
    func inTransaction<Value>(_ body: () throws -> Value) throws -> Value
    /// Takes on the history that the copied rows belong to. From then on a storage can be started on this database.
    func adopt(_ head: CopiedHead) throws
}

/// All rows of a database: read from one that stays in one state, or written to one that is being filled.
package struct CopiedRows {
    /// The number of rows in memory at once.
    private static let rowsAtOnce = 1_000
    /// The number of rows in one statement that inserts many.
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

    /// Up to `limit` rows in the order of keys.
    ///
    /// - Parameter key: the key of the row before them; empty starts with the first row.
    func rows(of table: CopiedTable, after key: [StoredValue], limit: Int) throws -> [[StoredValue]] {
        let beyond = key.isEmpty ? "" : "WHERE (\(table.keyList)) > \(Self.places(key.count))"
        return try db.values(
            """
            SELECT \(table.list) FROM \(table.name) \(beyond) ORDER BY \(table.keyList) LIMIT $\(key.count + 1)
            """, key + [.int(limit)]
        ) { row in try Self.values(row, table.columns) }
    }

    /// Passes on all rows after a key, some at a time.
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

    /// The key of the last row; empty if there are no rows.
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

    /// The source of a copy that was begun here; nil if none was begun.
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

    /// A list of parameters: `($1, $2, $3)`.
    private static func places(_ count: Int, from first: Int = 1) -> String {
        "(" + (first..<first + count).map { "$\($0)" }.joined(separator: ", ") + ")"
    }

    /// Ends the copy after its last row: deletes the name of the source, and takes on its history.
    package func finish(_ head: CopiedHead) throws {
        try db.write("DROP TABLE IF EXISTS copying", [])
        try db.adopt(head)
    }
}
