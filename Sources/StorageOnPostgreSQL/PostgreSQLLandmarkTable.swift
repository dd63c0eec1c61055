// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules

/// The landmarks and notes in the working set.
struct PostgreSQLLandmarkTable: LandmarkTable, SQLTable {
    let set: WorkingSet
    var db: any SQLSession { self.set }

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
}
