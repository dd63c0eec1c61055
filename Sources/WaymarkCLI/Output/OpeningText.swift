// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

/// Formats the state of opening hours for people: `open until 17:00`.
enum OpeningText {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let day: UInt64 = 86_400_000

    /// - Parameter moment: the moment at which the place has this state, in Unix milliseconds.
    static func of(_ opening: Opening, at moment: UInt64) -> String {
        let state = opening.state == .unknown ? "hours unknown" : opening.state.rawValue
        let until = opening.state == .unknown ? nil : opening.until.map { " until \(time($0, opening, moment))" }
        return state + (until ?? "") + (opening.comment.map { " (\($0))" } ?? "")
    }

    /// Formats the time of the next change in the local time of the place: `17:00` on the same day, `Mon 09:00` within
    /// a week, otherwise with the date.
    private static func time(_ until: UInt64, _ opening: Opening, _ moment: UInt64) -> String {
        let (then, now) = (opening.local(until), opening.local(moment))
        if then.day == now.day { return then.time }
        // A change at midnight belongs to the day that ends, so it is 24:00 of this day.
        if then.time == "00:00", opening.local(until - min(until, 60_000)).day == now.day { return "24:00" }
        guard until > moment, until - moment < 6 * day else { return "\(then.day) \(then.time)" }
        // Day 0, 1970-01-01, was a Thursday.
        let number = (Int64(clamping: until) + Int64(opening.offset) * 1_000) / Int64(day)
        return "\(days[Int((number + 3) % 7)]) \(then.time)"
    }
}
