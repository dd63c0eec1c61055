// SPDX-License-Identifier: Apache-2.0

/// The rule of a time zone for future years in the form of POSIX: `AEST-10AEDT,M10.1.0,M4.1.0/3`.
struct TimeZoneRule: Sendable {
    /// The beginning or the end of daylight saving.
    struct Change: Sendable {
        var day: DaySelector.MonthDay
        /// The seconds after local midnight, by the time before the change.
        var seconds = 7_200

        /// Returns the time of the change in seconds since 1970.
        func instant(in year: Int, offset: Int) -> Int64 {
            Int64(day.date(in: year).days) * 86_400 + Int64(seconds) - Int64(offset)
        }
    }

    private let standard: Int
    private let daylight: (offset: Int, begin: Change, end: Change)?

    init?(_ text: String) {
        var scanner = HoursScanner(text)
        guard Self.takeName(&scanner), let standard = Self.takeSeconds(&scanner) else { return nil }
        // POSIX counts hours west of Greenwich as positive.
        self.standard = -standard
        guard !scanner.isAtEnd else {
            daylight = nil
            return
        }
        guard Self.takeName(&scanner) else { return nil }
        let offset = Self.takeSeconds(&scanner).map { -$0 } ?? 3_600 - standard
        guard let begin = Self.takeChange(&scanner), let end = Self.takeChange(&scanner), scanner.isAtEnd else {
            return nil
        }
        daylight = (offset, begin, end)
    }

    func offset(at instant: Int64) -> Int {
        guard let daylight else { return standard }
        let local = instant + Int64(standard)
        let year = CivilDate(unixSeconds: Int(local)).year
        let begin = daylight.begin.instant(in: year, offset: standard)
        let end = daylight.end.instant(in: year, offset: daylight.offset)
        let isDaylight = begin < end ? begin <= instant && instant < end : instant >= begin || instant < end
        return isDaylight ? daylight.offset : standard
    }

    /// Skips a name, which consists of letters or of anything between `<` and `>`.
    private static func takeName(_ scanner: inout HoursScanner) -> Bool {
        scanner.takeText(from: "<", to: ">") != nil || scanner.takeWord().count >= 3
    }

    /// Reads a time and returns its seconds: `10`, `-10`, `5:45`, `-2:30:15`.
    private static func takeSeconds(_ scanner: inout HoursScanner) -> Int? {
        let sign = scanner.takeSign() ?? 1
        guard var seconds = takeNumber(&scanner, 0...167).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] where scanner.take(":") {
            guard let number = takeNumber(&scanner, 0...167) else { break }
            seconds += number * unit
        }
        return sign * seconds
    }

    private static func takeNumber(_ scanner: inout HoursScanner, _ allowed: ClosedRange<Int>) -> Int? {
        scanner.takeNumber(1...3).flatMap { allowed.contains($0) ? $0 : nil }
    }

    private static func takeChange(_ scanner: inout HoursScanner) -> Change? {
        guard scanner.take(","), let day = takeDay(&scanner) else { return nil }
        guard scanner.take("/") else { return Change(day: day) }
        return takeSeconds(&scanner).map { Change(day: day, seconds: $0) }
    }

    /// Reads the day of a change: `M10.1.0`, `J60`, `59`.
    private static func takeDay(_ scanner: inout HoursScanner) -> DaySelector.MonthDay? {
        if scanner.take("j") {
            // A day of the year from 1 to 365. February 29 is never counted, so day 60 is March 1.
            return takeNumber(&scanner, 1...365).map {
                DaySelector.MonthDay(base: $0 < 60 ? .day(month: 1, day: $0) : .day(month: 3, day: $0 - 59))
            }
        }
        guard scanner.take("m") else {
            // A day of the year from 0 to 365. February 29 is counted.
            return takeNumber(&scanner, 0...365).map { DaySelector.MonthDay(base: .day(month: 1, day: $0 + 1)) }
        }
        guard let month = takeNumber(&scanner, 1...12), scanner.take("."),
            let number = takeNumber(&scanner, 1...5), scanner.take("."), let day = takeNumber(&scanner, 0...6)
        else { return nil }
        // The fifth weekday means the last one. Sunday has the number 0 here, and 6 in CivilDate.
        return DaySelector.MonthDay(base: .nth(month: month, weekday: (day + 6) % 7, number == 5 ? -1 : number))
    }
}
