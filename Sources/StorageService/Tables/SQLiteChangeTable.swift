// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import WaymarkProtocol

/// The change log.
struct SQLiteChangeTable: ChangeTable {
    private let insert: Statement
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        insert = try Statement(
            db,
            sql: """
                INSERT INTO changes (rev, previous, landmarks, at, operation, version, user, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
    }

    func head() throws -> Head { try Self.head(db) }

    func append(
        _ head: Head, previous: UInt64, at: UInt64, operation: Change.Operation, version: UInt64, user: String,
        payload: [UInt8]
    ) throws {
        insert.bind(1, head.rev)
        insert.bind(2, previous)
        insert.bind(3, head.landmarks)
        insert.bind(4, at)
        insert.bind(5, UInt64(WireChange.Operation(operation).rawValue))
        insert.bind(6, version)
        insert.bind(7, user)
        try insert.run(lending: payload, at: 8)
    }

    static func head(_ db: Database) throws -> Head {
        let statement = try db.cachedStatement(sql: "SELECT rev, landmarks FROM changes ORDER BY rev DESC LIMIT 1")
        return try statement.first { row in Head(rev: try revision(row), landmarks: try row.bits(1)) } ?? Head()
    }

    /// The oldest revision kept; 1 while there is none.
    static func floor(_ db: Database) throws -> UInt64 {
        try db.cachedStatement(sql: "SELECT rev FROM changes ORDER BY rev LIMIT 1").first(revision) ?? 1
    }

    /// In a row's first column. More than that are never made, and counting on from there would overflow.
    private static func revision(_ row: Row) throws -> UInt64 {
        let rev = try row.bits(0)
        guard (1...UInt64(1) << 62).contains(rev) else {
            throw EngineError.corrupted("revision \(rev) is impossible")
        }
        return rev
    }

    static func epoch(_ db: Database) throws -> UUIDv7 {
        let epoch = try db.makeStatement(sql: "SELECT epoch_high, epoch_low FROM history").first { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
        guard let epoch else { throw EngineError.corrupted("it has no epoch") }
        return epoch
    }
}
