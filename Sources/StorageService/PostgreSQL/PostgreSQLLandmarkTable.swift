// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL

/// The landmarks and the notes of the working set.
struct PostgreSQLLandmarkTable: LandmarkTable {
    let set: WorkingSet

    func find(key: UInt64) throws -> StoredLandmark? {
        if let known = set.landmarks.known(key) { return known }
        let found = try set.connection.first("SELECT record FROM landmarks WHERE key = $1", [.bits(key)]) { row in
            try StoredLandmark(record: row.bytes(0))
        }
        set.landmarks.read(key, found)
        return found
    }

    func insert(_ stored: StoredLandmark) { set.landmarks.insert(stored.landmark.id.high, stored) }
    func update(_ stored: StoredLandmark) { set.landmarks.update(stored.landmark.id.high, stored) }
    func delete(_ id: Landmark.ID) { set.landmarks.delete(id.high) }

    func records(after key: UInt64, limit: Int) throws -> [[UInt8]] {
        try set.settle()
        return try set.run(
            "SELECT record FROM landmarks WHERE key > $1 ORDER BY key LIMIT $2", [.bits(key), .int8(Int64(limit))]
        ).map { try $0.bytes(0) }
    }

    func landmark(bearing note: Note.ID) throws -> UInt64? {
        let known: (low: UInt64, landmark: UInt64)?
        if let cached = set.notes.known(note.high) {
            known = cached
        } else {
            known = try set.connection.first("SELECT low, landmark FROM notes WHERE key = $1", [.bits(note.high)]) {
                row in (try row.bits(0), try row.bits(1))
            }
            set.notes.read(note.high, known)
        }
        guard let known, known.low == note.low else { return nil }
        return known.landmark
    }

    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) {
        set.notes.insert(note.high, (note.low, landmark.high))
    }
    func deleteNote(_ note: Note.ID) { set.notes.delete(note.high) }

    func newestRemoved() -> UInt64 { set.newestRemoved }
    func setNewestRemoved(_ id: UUIDv7) { set.newestRemoved = id.high }

    func greatestID() throws -> UUIDv7? {
        var greatest: UUIDv7?
        for table in ["landmarks", "notes"] {
            let id = try set.connection.first("SELECT key, low FROM \(table) ORDER BY key DESC LIMIT 1") { row in
                UUIDv7(high: try row.bits(0), low: try row.bits(1))
            }
            if let id { greatest = max(greatest ?? id, id) }
        }
        return greatest
    }
}
