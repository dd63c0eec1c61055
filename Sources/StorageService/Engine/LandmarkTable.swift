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
    var record: [UInt8]

    /// - Throws: ``EngineError/corrupted(_:)``.
    init(record: some SwiftProtobufContiguousBytes & Sequence<UInt8>) throws(EngineError) {
        do {
            self.landmark = try Landmark(WireLandmark(serializedBytes: record))
            self.record = [UInt8](record)
        } catch {
            throw .corrupted("a landmark's record cannot be read")
        }
    }

    init(_ landmark: Landmark) {
        (self.landmark, record) = (landmark, landmark.encoded)
    }
}

/// The landmarks, and on which of them each note is. Used inside the writer's transactions only.
struct LandmarkTable {
    private let selection: WriterStatement
    private let insertion: WriterStatement
    private let updating: WriterStatement
    private let deletion: WriterStatement
    private let noteSelection: WriterStatement
    private let noteInsertion: WriterStatement
    private let noteDeletion: WriterStatement
    private let newestUpdating: WriterStatement

    init(_ db: Database) throws {
        selection = try WriterStatement(db, sql: "SELECT record FROM landmarks WHERE key = ?")
        insertion = try WriterStatement(db, sql: "INSERT INTO landmarks (key, low, record) VALUES (?, ?, ?)")
        updating = try WriterStatement(db, sql: "UPDATE landmarks SET record = ? WHERE key = ?")
        deletion = try WriterStatement(db, sql: "DELETE FROM landmarks WHERE key = ?")
        noteSelection = try WriterStatement(db, sql: "SELECT landmark, low FROM notes WHERE key = ?")
        noteInsertion = try WriterStatement(db, sql: "INSERT INTO notes (key, low, landmark) VALUES (?, ?, ?)")
        noteDeletion = try WriterStatement(db, sql: "DELETE FROM notes WHERE key = ?")
        newestUpdating = try WriterStatement(db, sql: "UPDATE newest SET key = ?")
    }

    func find(_ id: Landmark.ID) throws -> StoredLandmark? {
        guard let stored = try find(key: id.high), stored.landmark.id == id else { return nil }
        return stored
    }

    /// By the first half of its id.
    func find(key: UInt64) throws -> StoredLandmark? {
        selection.bind(1, key)
        return try selection.first { row in try StoredLandmark(record: row.bytes(0)) }
    }

    func insert(_ id: Landmark.ID, _ record: [UInt8]) throws {
        insertion.bind(1, id.high)
        insertion.bind(2, id.low)
        insertion.bind(3, record)
        try insertion.run()
    }

    func update(_ id: Landmark.ID, _ record: [UInt8]) throws {
        updating.bind(1, record)
        updating.bind(2, id.high)
        try updating.run()
    }

    func delete(_ id: Landmark.ID) throws {
        deletion.bind(1, id.high)
        try deletion.run()
    }

    /// The key of the landmark that bears this note.
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

    /// The first half of the greatest id that was ever removed; 0 for none.
    static func newestRemoved(_ db: Database) throws -> UInt64 {
        guard let row = try Row.fetchOne(db, sql: "SELECT key FROM newest") else {
            throw EngineError.corrupted("it does not know its newest id")
        }
        return try row.bits(0)
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
