// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules

/// The landmarks and notes.
extension WorkingSet: LandmarkTable {
    func find(key: UInt64) throws -> StoredLandmark? {
        if let known = landmarks.known(key) { return known }
        let found = try value("SELECT record FROM landmarks WHERE key = $1", [.bits(key)]) { row in
            try StoredLandmark(record: row.bytes(0))
        }
        landmarks.read(key, found)
        return found
    }

    func insert(_ stored: StoredLandmark) { landmarks.insert(stored.landmark.id.high, stored) }
    func update(_ stored: StoredLandmark) { landmarks.update(stored.landmark.id.high, stored) }
    func delete(_ id: Landmark.ID) { landmarks.delete(id.high) }

    func landmark(bearing note: Note.ID) throws -> UInt64? {
        let known: (low: UInt64, landmark: UInt64)?
        if let cached = notes.known(note.high) {
            known = cached
        } else {
            known = try value("SELECT low, landmark FROM notes WHERE key = $1", [.bits(note.high)]) {
                row in (try row.bits(0), try row.bits(1))
            }
            notes.read(note.high, known)
        }
        guard let known, known.low == note.low else { return nil }
        return known.landmark
    }

    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) {
        notes.insert(note.high, (note.low, landmark.high))
    }
    func deleteNote(_ note: Note.ID) { notes.delete(note.high) }

    func setNewestRemoved(_ id: UUIDv7) { lastRemoved = id.high }
}
