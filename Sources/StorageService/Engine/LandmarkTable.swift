// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// A landmark as it is stored: read, and encoded.
struct StoredLandmark {
    var landmark: Landmark
    /// The encoded `Landmark`.
    var record: Data

    /// - Throws: ``EngineError/corrupted(_:)``.
    init(record: Data) throws(EngineError) {
        do {
            self.landmark = try Landmark(WireLandmark(serializedBytes: record))
            self.record = record
        } catch {
            throw .corrupted("a landmark's record cannot be read")
        }
    }

    init(_ landmark: Landmark) throws {
        self.landmark = landmark
        self.record = try WireLandmark(landmark).serializedBytes()
    }
}

/// The landmarks, and on which of them each note is. Used inside the writer's transactions only.
struct LandmarkTable {
    private let selection: Statement
    private let insertion: Statement
    private let updating: Statement
    private let deletion: Statement
    private let noteSelection: Statement
    private let noteInsertion: Statement
    private let noteDeletion: Statement

    init(_ db: Database) throws {
        selection = try db.makeStatement(sql: "SELECT record FROM landmarks WHERE key = ?")
        insertion = try db.makeStatement(sql: "INSERT INTO landmarks (key, low, record) VALUES (?, ?, ?)")
        updating = try db.makeStatement(sql: "UPDATE landmarks SET record = ? WHERE key = ?")
        deletion = try db.makeStatement(sql: "DELETE FROM landmarks WHERE key = ?")
        noteSelection = try db.makeStatement(sql: "SELECT landmark, low FROM notes WHERE key = ?")
        noteInsertion = try db.makeStatement(sql: "INSERT INTO notes (key, low, landmark) VALUES (?, ?, ?)")
        noteDeletion = try db.makeStatement(sql: "DELETE FROM notes WHERE key = ?")
    }

    func find(_ id: Landmark.ID) throws -> StoredLandmark? {
        guard let stored = try find(key: id.high), stored.landmark.id == id else { return nil }
        return stored
    }

    /// By the first half of its id.
    func find(key: UInt64) throws -> StoredLandmark? {
        try selection.one(key.bits).map { row in try StoredLandmark(record: row.data(0)) }
    }

    func insert(_ id: Landmark.ID, _ record: Data) throws {
        try insertion.run(id.high.bits, id.low.bits, record)
    }

    func update(_ id: Landmark.ID, _ record: Data) throws {
        try updating.run(record, id.high.bits)
    }

    func delete(_ id: Landmark.ID) throws {
        try deletion.run(id.high.bits)
    }

    /// The key of the landmark that bears this note.
    func landmark(bearing note: Note.ID) throws -> UInt64? {
        guard let row = try noteSelection.one(note.high.bits), try row.bits(1) == note.low else { return nil }
        return try row.bits(0)
    }

    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) throws {
        try noteInsertion.run(note.high.bits, note.low.bits, landmark.high.bits)
    }

    func deleteNote(_ note: Note.ID) throws {
        try noteDeletion.run(note.high.bits)
    }

    /// The greatest id in use.
    static func greatestID(_ db: Database) throws -> UUIDv7? {
        var greatest: UUIDv7?
        for table in ["landmarks", "notes"] {
            let row = try Row.fetchOne(db, sql: "SELECT key, low FROM \(table) ORDER BY key DESC LIMIT 1")
            guard let row else { continue }
            let id = UUIDv7(high: try row.bits(0), low: try row.bits(1))
            greatest = max(greatest ?? id, id)
        }
        return greatest
    }
}
