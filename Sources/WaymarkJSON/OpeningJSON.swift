// SPDX-License-Identifier: Apache-2.0

package import WaymarkClient

extension JSONWriter {
    /// `opening {state until until_local zone zone_assumed comment}`; null for a landmark without opening hours.
    package mutating func opening(_ hit: Hit) {
        key("opening")
        guard let opening = hit.opening else { return null() }
        object {
            $0.field("state", opening.state.rawValue)
            $0.field("until", opening.until.map(Timestamp.rfc3339))
            $0.field("until_local", opening.localUntil.map { "\($0.day)T\($0.time)" })
            $0.field("zone", opening.zone)
            $0.field("zone_assumed", opening.isZoneAssumed)
            $0.field("comment", opening.comment)
        }
    }
}

extension Opening {
    /// When the state changes, by the clocks of the place: `2026-11-27`, `17:00`.
    package var localUntil: (day: String, time: String)? { until.map(local) }

    /// A moment by the clocks of the place.
    ///
    /// - Parameter moment: Unix milliseconds.
    package func local(_ moment: UInt64) -> (day: String, time: String) {
        let shifted = Int64(clamping: moment) + Int64(offset) * 1_000
        let text = Timestamp.rfc3339(UInt64(clamping: shifted))
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(5)))
    }
}
