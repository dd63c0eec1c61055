// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Landmarks by their keys, and the landmark of each note. A key is the first half of an id, and is never given twice.
package protocol LandmarkTable {
    func find(key: UInt64) throws -> StoredLandmark?
    func insert(_ stored: StoredLandmark) throws
    func update(_ stored: StoredLandmark) throws
    func delete(_ id: Landmark.ID) throws
    /// The encoded landmarks with keys above `key`, in the order of keys.
    func records(after key: UInt64, limit: Int) throws -> [[UInt8]]

    /// The key of the landmark that bears this note.
    func landmark(bearing note: Note.ID) throws -> UInt64?
    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) throws
    func deleteNote(_ note: Note.ID) throws

    /// The key of the greatest id that was ever removed; 0 if none was.
    func newestRemoved() throws -> UInt64
    func setNewestRemoved(_ id: UUIDv7) throws
    /// The greatest id of a present landmark or note.
    func greatestID() throws -> UUIDv7?
}

extension LandmarkTable {
    func find(_ id: Landmark.ID) throws -> StoredLandmark? {
        guard let stored = try find(key: id.high), stored.landmark.id == id else { return nil }
        return stored
    }
}
