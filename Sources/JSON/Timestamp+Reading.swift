// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension Timestamp {
    /// The time in Unix milliseconds; nil if the text is not RFC 3339 or before 1970. A leap second becomes the next
    /// one.
    package static func milliseconds(rfc3339 text: String) -> UInt64? {
        let form =
            /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form) else { return nil }
        func number(_ digits: Substring?) -> Int64 { digits.flatMap { Int64($0) } ?? 0 }
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        let (offsetHour, offsetMinute) = (number(match.9), number(match.10))
        guard hour < 24, minute < 60, second <= 60, offsetHour < 24, offsetMinute < 60 else { return nil }
        var day = tm()
        (day.tm_year, day.tm_mon, day.tm_mday) = (
            CInt(number(match.1)) - 1_900, CInt(number(match.2)) - 1, CInt(number(match.3))
        )
        let asked = day
        let midnight = Int64(timegm(&day))
        // What the month does not have, it has made another day of.
        guard (day.tm_mon, day.tm_mday) == (asked.tm_mon, asked.tm_mday) else { return nil }
        let fraction = number(((match.7 ?? "") + "000").prefix(3))
        let offset = (offsetHour * 60 + offsetMinute) * (match.8 == "-" ? -60 : 60)
        return UInt64(exactly: (midnight + hour * 3_600 + minute * 60 + second - offset) * 1_000 + fraction)
    }
}
