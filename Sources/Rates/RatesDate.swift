// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, `2026-10-30`.
public struct RatesDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Days since 1970-01-01.
    public let day: Int

    public init(day: Int) { self.day = day }

    /// - Parameter unixSeconds: seconds since 1970, in UTC.
    public init(unixSeconds: Int) { day = unixSeconds.flooredQuotient(by: 86_400) }

    /// Reads `2026-10-30`, also with a time behind it, and `30 October 2026`, as the ECB's table has it.
    public init?(_ text: some StringProtocol) {
        let parts = text.split { $0 == " " || $0 == "T" }
        if parts.count == 3, let month = Self.months.firstIndex(of: parts[1].prefix(3).lowercased()) {
            self.init(year: Int(parts[2]), month: month + 1, day: Int(parts[0]))
        } else if let first = parts.first {
            let numbers = first.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 3, first.utf8.count == 10 else { return nil }
            self.init(year: numbers[0], month: numbers[1], day: numbers[2])
        } else {
            return nil
        }
    }

    private init?(year: Int?, month: Int?, day: Int?) {
        guard let year, let month, let day, (1970...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(in: month, of: year)
        else { return nil }
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil: years begin in March.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        self.day = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    public static func < (one: Self, other: Self) -> Bool { one.day < other.day }

    public var description: String {
        // The inverse, civil_from_days, of the same source.
        let shifted = day + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(ofYear - (153 * march + 2) / 5 + 1, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int {
    fileprivate func flooredQuotient(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
