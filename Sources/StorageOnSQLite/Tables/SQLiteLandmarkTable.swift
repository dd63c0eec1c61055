// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// The landmarks, and the landmark of each note. Used only inside the writer's transactions. Frequent operations use
/// prepared statements and bind their values directly, not as ``StoredValue``.
struct SQLiteLandmarkTable: LandmarkTable, SQLTable {
    let db: any SQLSession
    private let selection: Statement
    private let insertion: Statement
    private let updating: Statement

    init(_ db: Database) throws {
        self.db = db
        selection = try Statement(db, sql: "SELECT record FROM landmarks WHERE key = ?")
        insertion = try Statement(db, sql: "INSERT INTO landmarks (key, low, record) VALUES (?, ?, ?)")
        updating = try Statement(db, sql: "UPDATE landmarks SET record = ? WHERE key = ?")
    }

    func find(key: UInt64) throws -> StoredLandmark? {
        selection.bind(1, key)
        return try selection.first { row in try StoredLandmark(record: row.bytes(0)) }
    }

    func insert(_ stored: StoredLandmark) throws {
        insertion.bind(1, stored.landmark.id.high)
        insertion.bind(2, stored.landmark.id.low)
        try insertion.run(lending: stored.record, at: 3)
    }

    func update(_ stored: StoredLandmark) throws {
        updating.bind(2, stored.landmark.id.high)
        try updating.run(lending: stored.record, at: 1)
    }

    func delete(_ id: Landmark.ID) throws {
        try db.write("DELETE FROM landmarks WHERE key = $1", [.bits(id.high)])
    }

    func landmark(bearing note: Note.ID) throws -> UInt64? {
        try db.value(
            "SELECT landmark FROM notes WHERE key = $1 AND low = $2", [.bits(note.high), .bits(note.low)]
        ) { row in try row.bits(0) }
    }

    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) throws {
        try db.write(
            "INSERT INTO notes (key, low, landmark) VALUES ($1, $2, $3)",
            [.bits(note.high), .bits(note.low), .bits(landmark.high)])
    }

    func deleteNote(_ note: Note.ID) throws {
        try db.write("DELETE FROM notes WHERE key = $1", [.bits(note.high)])
    }

    func setNewestRemoved(_ id: UUIDv7) throws {
        try db.write("UPDATE newest SET key = $1", [.bits(id.high)])
    }
}
