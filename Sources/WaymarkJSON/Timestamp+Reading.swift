// SPDX-License-Identifier: Apache-2.0

extension Timestamp {
    /// The time in Unix milliseconds; nil if the text is not RFC 3339 or before 1970. A leap second becomes the next
    /// one.
    package static func milliseconds(rfc3339 text: String) -> UInt64? {
        let form =
            /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form) else { return nil }
        func number(_ digits: Substring?) -> Int64 { digits.flatMap { Int64($0) } ?? 0 }
        let (year, month, day) = (number(match.1), number(match.2), number(match.3))
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        let (offsetHour, offsetMinute) = (number(match.9), number(match.10))
        guard (1...12).contains(month), hour < 24, minute < 60, second <= 60, offsetHour < 24, offsetMinute < 60
        else { return nil }
        let days = days(year, month, day)
        guard civil(daysSince1970: days) == (year, month, day) else { return nil }
        let fraction = number(((match.7 ?? "") + "000").prefix(3))
        let offset = (offsetHour * 60 + offsetMinute) * (match.8 == "-" ? -60 : 60)
        return UInt64(exactly: (days * 86_400 + hour * 3_600 + minute * 60 + second - offset) * 1_000 + fraction)
    }

    /// Howard Hinnant's `days_from_civil`.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
