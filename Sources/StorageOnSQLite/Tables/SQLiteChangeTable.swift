// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules
import WaymarkProtocol

/// The change log.
struct SQLiteChangeTable: ChangeTable, SQLTable {
    let db: any SQLSession
    private let insert: Statement

    init(_ db: Database) throws {
        self.db = db
        insert = try Statement(
            db,
            sql: """
                INSERT INTO changes (rev, previous, landmarks, at, operation, version, user, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
    }

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

    func noteRemoval(of id: Landmark.ID, rev: UInt64) throws {
        try db.write("INSERT OR REPLACE INTO removals (key, rev) VALUES ($1, $2)", [.bits(id.high), .bits(rev)])
    }
}
