// SPDX-License-Identifier: Apache-2.0

/// The rule of a time zone for future years in the form of POSIX: `AEST-10AEDT,M10.1.0,M4.1.0/3`.
struct TimeZoneRule: Sendable {
    /// The day on which daylight saving begins or ends.
    enum Day: Sendable {
        /// The nth weekday of a month. Sunday has the number 0, and the fifth weekday means the last one.
        case weekday(month: Int, Int, day: Int)
        /// A day of the year from 1 to 365; February 29 is never counted.
        case julian(Int)
        /// A day of the year from 0 to 365; February 29 is counted.
        case day(Int)
    }

    struct Change: Sendable {
        var day: Day
        /// The seconds after local midnight, by the time before the change.
        var seconds = 7_200
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

    private static func takeDay(_ scanner: inout HoursScanner) -> Day? {
        if scanner.take("j") { return takeNumber(&scanner, 1...365).map(Day.julian) }
        guard scanner.take("m") else { return takeNumber(&scanner, 0...365).map(Day.day) }
        guard let month = takeNumber(&scanner, 1...12), scanner.take("."),
            let number = takeNumber(&scanner, 1...5), scanner.take("."), let day = takeNumber(&scanner, 0...6)
        else { return nil }
        return .weekday(month: month, number, day: day)
    }
}

extension TimeZoneRule.Change {
    /// Returns the time of the change in seconds since 1970.
    fileprivate func instant(in year: Int, offset: Int) -> Int64 {
        let date: CivilDate
        switch day {
        case .weekday(let month, let number, let weekday):
            let first = CivilDate(year: year, month: month, day: 1)
            // CivilDate counts weekdays from Monday, so Sunday has the number 6.
            var day = (weekday + 6) % 7 - first.weekday
            if day < 0 { day += 7 }
            day += (number - 1) * 7
            while day >= CivilDate.daysInMonth(month, of: year) { day -= 7 }
            date = first.adding(day)
        case .julian(let number):
            let march = CivilDate(year: year, month: 3, day: 1), first = CivilDate(year: year, month: 1, day: 1)
            let isAfterLeapDay = number >= 60 && march.days - first.days == 60
            date = first.adding(number - 1 + (isAfterLeapDay ? 1 : 0))
        case .day(let number): date = CivilDate(year: year, month: 1, day: 1).adding(number)
        }
        return Int64(date.days) * 86_400 + Int64(seconds) - Int64(offset)
    }
}
