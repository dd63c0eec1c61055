// SPDX-License-Identifier: Apache-2.0

/// The `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3).
enum RetryAfter {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter now: Unix seconds.
    static func read(_ text: String, now: Int) -> Duration? {
        if !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ $0 &- 48 < 10 }), let seconds = Int(text) {
            return .seconds(seconds)
        }
        return unixSeconds(text).map { .seconds(max(0, $0 - now)) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the only date format that senders may use.
    static func unixSeconds(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Days since 1970 in the Gregorian calendar. Years are counted from March, so the leap day is the last day.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
