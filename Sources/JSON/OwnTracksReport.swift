// SPDX-License-Identifier: Apache-2.0

package import Landmarks

/// Reads a message of OwnTracks, as <https://owntracks.org/booklet/tech/json/> describes it.
package enum OwnTracksReport {
    /// - Returns: the position of the device; empty for a message about something else. The app sends an empty body
    ///   when a friend is removed.
    package static func points(_ bytes: [UInt8], now: UInt64) throws(ReportRefusal) -> [TrackPoint] {
        try bytes.isEmpty ? [] : points(ReportRefusal.read(bytes), now: now)
    }

    /// - Parameter now: the time of a message without one, in Unix milliseconds.
    package static func points(_ message: JSONValue, now: UInt64) throws(ReportRefusal) -> [TrackPoint] {
        guard let type = message["_type"]?.text else {
            throw .unreadable("The report has no _type: it is not a message of OwnTracks.")
        }
        if type == "encrypted" { throw .encrypted }
        // Waypoints and the borders of regions have a position, too, but not the device's.
        guard type == "location" else { return [] }
        let time = try ReportRefusal.time(message["tst"], or: now)
        let point = try TrackPoint(
            message["lat"]?.numeric, message["lon"]?.numeric, at: time, accuracy: message["acc"]?.numeric,
            // The app sends kilometres an hour.
            speed: message["vel"]?.numeric.map { $0 / 3.6 }, or: "The location has no lat and lon.")
        return [point]
    }
}
