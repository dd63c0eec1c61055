// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The points of the tracks of moving landmarks.
package protocol TrackTable {
    /// - Parameter now: the time of the revision in Unix milliseconds.
    func append(_ point: TrackPoint, of landmark: Landmark.ID, now: UInt64) throws
}
