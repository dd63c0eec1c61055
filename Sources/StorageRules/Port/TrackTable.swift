// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The points of the tracks of moving landmarks, by the landmarks' keys and the points' times. All times are Unix
/// milliseconds.
package protocol TrackTable {
    /// Returns the time of the newest point that is not after `time`; nil if there is none.
    func newest(of landmark: UInt64, upTo time: UInt64) throws -> UInt64?
    /// Stores a point, in place of the track's point of the same time if there is one.
    func store(_ point: TrackPoint, of landmark: UInt64, now: UInt64) throws

    /// Returns those of the times at which the track has a point.
    func known(_ times: [UInt64], of landmark: UInt64) throws -> Set<UInt64>
    func count(of landmark: UInt64) throws -> Int
    /// Deletes the oldest points before `time`, at most `limit` of them, and returns their number.
    func delete(of landmark: UInt64, before time: UInt64, limit: Int) throws -> Int
    /// Returns up to `limit` tracks of landmarks with keys above `key`, in the order of their keys, with the encoded
    /// landmarks; without one if the landmark is removed.
    func tracks(after key: UInt64, limit: Int) throws -> [(landmark: UInt64, record: [UInt8]?)]
}
