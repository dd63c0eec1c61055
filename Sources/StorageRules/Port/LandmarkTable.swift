// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The landmarks by their keys, and the landmark of each note. A key is the first half of an id, and is never reused.
package protocol LandmarkTable {
    func find(key: UInt64) throws -> StoredLandmark?
    func insert(_ stored: StoredLandmark) throws
    func update(_ stored: StoredLandmark) throws
    func delete(_ id: Landmark.ID) throws
    /// Returns up to `limit` encoded landmarks with keys above `key`, in the order of their keys.
    func records(after key: UInt64, limit: Int) throws -> [[UInt8]]

    /// Returns the key of the landmark that bears this note; nil if there is no such note.
    func landmark(bearing note: Note.ID) throws -> UInt64?
    func insertNote(_ note: Note.ID, on landmark: Landmark.ID) throws
    func deleteNote(_ note: Note.ID) throws

    /// Returns the key of the greatest id that was ever removed; 0 if no id was removed.
    func newestRemoved() throws -> UInt64
    func setNewestRemoved(_ id: UUIDv7) throws
    /// Returns the greatest id of all present landmarks and notes; nil if there are none.
    func greatestID() throws -> UUIDv7?
}

extension LandmarkTable {
    func find(_ id: Landmark.ID) throws -> StoredLandmark? {
        guard let stored = try find(key: id.high), stored.landmark.id == id else { return nil }
        return stored
    }
}
