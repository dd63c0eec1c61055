// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Formats Unix milliseconds.
package enum Timestamp {
    /// For programs: RFC 3339 in UTC with milliseconds, `2026-03-01T09:30:00.000Z`.
    package static func rfc3339(_ milliseconds: UInt64) -> String {
        var bytes: [UInt8] = []
        append(milliseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what ``rfc3339(_:)`` gives.
    static func append(_ milliseconds: UInt64, to bytes: inout [UInt8]) {
        let (days, rest) = (Int64(clamping: milliseconds / 86_400_000), milliseconds / 1_000 % 86_400)
        let date = civil(daysSince1970: days)
        func part(_ number: UInt64, _ width: Int, then end: Unicode.Scalar) {
            Digits.append(number, width: width, to: &bytes)
            bytes.append(UInt8(ascii: end))
        }
        part(UInt64(clamping: date.year), 4, then: "-")
        part(UInt64(clamping: date.month), 2, then: "-")
        part(UInt64(clamping: date.day), 2, then: "T")
        part(rest / 3_600, 2, then: ":")
        part(rest / 60 % 60, 2, then: ":")
        part(rest % 60, 2, then: ".")
        part(milliseconds % 1_000, 3, then: "Z")
    }

    /// For people: in the time zone of this machine, `2026-03-01 20:30:00`.
    ///
    /// - Parameter format: as `strftime` has it.
    package static func local(_ milliseconds: UInt64, format: String = "%Y-%m-%d %H:%M:%S") -> String {
        var seconds = time_t(clamping: milliseconds / 1_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return rfc3339(milliseconds) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            let count = strftime(text.baseAddress, text.count, format, &parts)
            return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// Howard Hinnant's `civil_from_days`: its years begin in March, so that the leap day is the last day.
    static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
