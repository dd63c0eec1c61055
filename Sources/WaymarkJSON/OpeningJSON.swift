// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

/// Writes `state until until_local zone zone_assumed comment`.
extension Opening: JSONObject {
    package func fields(to writer: inout JSONWriter) {
        writer.field("state", state.rawValue)
        writer.field("until", until.map(Timestamp.rfc3339))
        writer.field("until_local", until.map(local).map { "\($0.day)T\($0.time)" })
        writer.field("zone", zone)
        writer.field("zone_assumed", isZoneAssumed)
        writer.field("comment", comment)
    }

    /// Converts a time to the day and the time of day by the local time of the place: `2026-11-27`, `17:00`.
    ///
    /// - Parameter moment: Unix milliseconds.
    package func local(_ moment: UInt64) -> (day: String, time: String) {
        let shifted = Int64(clamping: moment) + Int64(offset) * 1_000
        let text = Timestamp.rfc3339(UInt64(clamping: shifted))
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(5)))
    }
}
