// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    public let days: Int

    public init(days: Int) { self.days = days }

    /// - Parameter unixSeconds: the seconds since 1970-01-01, in UTC.
    public init(unixSeconds: Int) { days = (unixSeconds >= 0 ? unixSeconds : unixSeconds - 86_399) / 86_400 }

    /// Makes a date. Days beyond the end of the month are days of the next month: February 29 of 2025 is March 1.
    ///
    /// The method is `days_from_civil` from H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    public init(year: Int, month: Int, day: Int) {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        days = era * 146_097 + dayOfEra - 719_468
    }

    /// The year, month and day. The method is `civil_from_days`, from the same source.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    public var year: Int { parts.year }

    /// The day of the week, from 0 (Monday) to 6.
    package var weekday: Int { ((days + 3) % 7 + 7) % 7 }

    /// The number of the week according to ISO 8601, 1 to 53. A year's first week contains its first Thursday.
    package var week: Int {
        let thursday = CivilDate(days: days - weekday + 3)
        return (thursday.days - CivilDate(year: thursday.year, month: 1, day: 1).days) / 7 + 1
    }

    package static func daysInMonth(_ month: Int, of year: Int) -> Int {
        CivilDate(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1).days
            - CivilDate(year: year, month: month, day: 1).days
    }

    /// Returns Easter Sunday of the western churches, by J. Meeus, "Astronomical Algorithms", chapter 8.
    package static func easter(of year: Int) -> CivilDate {
        let (golden, century, rest) = (year % 19, year / 100, year % 100)
        let epact = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
        let sunday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7
        let correction = (golden + 11 * epact + 22 * sunday) / 451
        let sum = epact + sunday - 7 * correction + 114
        return CivilDate(year: year, month: sum / 31, day: sum % 31 + 1)
    }

    package func adding(_ count: Int) -> CivilDate { CivilDate(days: days + count) }

    public static func < (left: CivilDate, right: CivilDate) -> Bool { left.days < right.days }

    /// The date in a form such as `2026-10-30`.
    public var description: String {
        let (year, month, day) = parts
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
