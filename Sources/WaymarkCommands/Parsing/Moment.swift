// SPDX-License-Identifier: Apache-2.0

import WaymarkJSON

/// A point in the history, as typed by a person.
enum Moment: Hashable, Sendable {
    case revision(UInt64)
    /// Milliseconds before now.
    case ago(UInt64)
    /// In Unix milliseconds.
    case time(UInt64)

    /// In Unix milliseconds; nil for a revision.
    func time(now: UInt64) -> UInt64? {
        switch self {
        case .revision: nil
        case .ago(let milliseconds): now - min(now, milliseconds)
        case .time(let time): time
        }
    }
}

extension Values {
    private static let millisecondsPerUnit = [
        "ms": 1.0, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
    ]

    /// `4711`, `5m` (five minutes ago), or RFC 3339, `2026-03-01T09:30:00Z`.
    static func moment(_ text: String) throws -> Moment {
        if text.utf8.allSatisfy({ (48...57).contains($0) }), let rev = UInt64(text) { return .revision(rev) }
        if let time = Timestamp.milliseconds(rfc3339: text) { return .time(time) }
        if let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d|w)/),
            let value = Double(match.1), let unit = millisecondsPerUnit[String(match.2)], value * unit < 1e14
        {
            return .ago(UInt64((value * unit).rounded()))
        }
        throw BadValue(
            "it is a revision (120), a time ago (30s, 5m, 2h, 7d) or a time of RFC 3339 (2026-03-01T09:30:00Z).")
    }
}

extension Timestamp {
    /// The time in Unix milliseconds; nil if the text is not RFC 3339 or before 1970. A leap second becomes the next
    /// one.
    static func milliseconds(rfc3339 text: String) -> UInt64? {
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
