// SPDX-License-Identifier: Apache-2.0

internal import CivilDates
internal import Glibc

/// Converts between Unix milliseconds and text.
package enum Timestamp {
    /// Returns the time for programs, in RFC 3339 in UTC with milliseconds: `2026-03-01T09:30:00.000Z`.
    package static func rfc3339(_ milliseconds: UInt64) -> String {
        String(unsafeUninitializedCapacity: most) { text in text.baseAddress.map { write(milliseconds, to: $0) } ?? 0 }
    }

    /// The maximum number of bytes of a time, rounded up.
    static let most = 48

    /// Writes the text of ``rfc3339(_:)`` to a place with room for ``most`` bytes, and returns how many there are.
    static func write(_ milliseconds: UInt64, to place: UnsafeMutablePointer<UInt8>) -> Int {
        let (days, rest) = (Int(milliseconds / 86_400_000), milliseconds / 1_000 % 86_400)
        let date = CivilDate(days: days).parts
        var count = 0
        func part(_ number: UInt64, _ width: Int, then end: Unicode.Scalar) {
            count += Digits.write(number, width: width, to: place + count)
            place[count] = UInt8(ascii: end)
            count += 1
        }
        part(UInt64(clamping: date.year), 4, then: "-")
        part(UInt64(clamping: date.month), 2, then: "-")
        part(UInt64(clamping: date.day), 2, then: "T")
        part(rest / 3_600, 2, then: ":")
        part(rest / 60 % 60, 2, then: ":")
        part(rest % 60, 2, then: ".")
        part(milliseconds % 1_000, 3, then: "Z")
        return count
    }

    /// Returns the time for people, in the time zone of this machine: `2026-03-01 20:30:00`.
    ///
    /// - Parameter format: a format for `strftime`.
    package static func local(_ milliseconds: UInt64, format: String = "%Y-%m-%d %H:%M:%S") -> String {
        var seconds = time_t(clamping: milliseconds / 1_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return rfc3339(milliseconds) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let count = strftime(text.baseAddress, text.count, format, &parts)
            return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Reads the time in Unix milliseconds. Nil if the text is not RFC 3339, or if the time is before 1970. A leap
    /// second becomes the following second.
    package static func milliseconds(rfc3339 text: String) -> UInt64? {
        let form =
            /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: form) else { return nil }
        func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
        let (year, month, day) = (number(match.1), number(match.2), number(match.3))
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        let (offsetHour, offsetMinute) = (number(match.9), number(match.10))
        guard hour < 24, minute < 60, second <= 60, offsetHour < 24, offsetMinute < 60 else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        // If the month does not have this day, the date has become a day of another month.
        guard date.parts == (year, month, day) else { return nil }
        let fraction = number(((match.7 ?? "") + "000").prefix(3))
        let offset = (offsetHour * 60 + offsetMinute) * (match.8 == "-" ? -60 : 60)
        let seconds = date.days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return UInt64(exactly: seconds * 1_000 + fraction)
    }
}
