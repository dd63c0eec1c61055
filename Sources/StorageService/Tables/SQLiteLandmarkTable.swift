// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The landmarks, and the landmark of each note. Used inside the writer's transactions only.
struct SQLiteLandmarkTable: LandmarkTable, SQLTable {
    let db: any SQLSession
    private let selection: Statement
    private let insertion: Statement
    private let updating: Statement
    private let deletion: Statement
    private let noteSelection: Statement
    private let noteInsertion: Statement
    private let noteDeletion: Statement
    private let newestUpdating: Statement

    init(_ db: Database) throws {
        self.db = db
        selection = try Statement(db, sql: "SELECT record FROM landmarks WHERE key = ?")
        insertion = try Statement(db, sql: "INSERT INTO landmarks (key, low, record) VALUES (?, ?, ?)")
        updating = try Statement(db, sql: "UPDATE landmarks SET record = ? WHERE key = ?")
        deletion = try Statement(db, sql: "DELETE FROM landmarks WHERE key = ?")
        noteSelection = try Statement(db, sql: "SELECT landmark, low FROM notes WHERE key = ?")
        noteInsertion = try Statement(db, sql: "INSERT INTO notes (key, low, landmark) VALUES (?, ?, ?)")
        noteDeletion = try Statement(db, sql: "DELETE FROM notes WHERE key = ?")
        newestUpdating = try Statement(db, sql: "UPDATE newest SET key = ?")
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
        deletion.bind(1, id.high)
        try deletion.run()
    }

    func landmark(bearing note: Note.ID) throws -> UInt64? {
        noteSelection.bind(1, note.high)
        let found = try noteSelection.first { row in (key: try row.bits(0), low: try row.bits(1)) }
        guard let found, found.low == note.low else { return nil }
        return found.key
    }

    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) throws {
        noteInsertion.bind(1, note.high)
        noteInsertion.bind(2, note.low)
        noteInsertion.bind(3, landmark.high)
        try noteInsertion.run()
    }

    func deleteNote(_ note: Note.ID) throws {
        noteDeletion.bind(1, note.high)
        try noteDeletion.run()
    }

    func setNewestRemoved(_ id: UUIDv7) throws {
        newestUpdating.bind(1, id.high)
        try newestUpdating.run()
    }
}
