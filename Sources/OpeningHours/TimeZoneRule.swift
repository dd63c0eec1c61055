// SPDX-License-Identifier: Apache-2.0

/// The rule of a time zone for years to come, as POSIX writes it: `AEST-10AEDT,M10.1.0,M4.1.0/3`.
struct TimeZoneRule: Hashable, Sendable {
    /// Where daylight saving begins or ends.
    enum Day: Hashable, Sendable {
        /// The nth such weekday (Sunday is 0) of a month; the fifth is the last.
        case weekday(month: Int, Int, day: Int)
        /// 1 to 365, without February 29.
        case julian(Int)
        /// 0 to 365.
        case day(Int)
    }

    struct Change: Hashable, Sendable {
        var day: Day
        /// Seconds after the local midnight, in the time that holds until then.
        var seconds = 7_200
    }

    private let standard: Int
    private let daylight: (offset: Int, begin: Change, end: Change)?

    init?(_ text: String) {
        var rest = Substring(text)
        guard Self.takeName(&rest), let standard = Self.takeSeconds(&rest) else { return nil }
        // POSIX counts west of Greenwich.
        self.standard = -standard
        guard !rest.isEmpty else {
            daylight = nil
            return
        }
        guard Self.takeName(&rest) else { return nil }
        let offset = Self.takeSeconds(&rest).map { -$0 } ?? 3_600 - standard
        guard let begin = Self.takeChange(&rest), let end = Self.takeChange(&rest), rest.isEmpty else { return nil }
        daylight = (offset, begin, end)
    }

    func offset(at instant: Int64) -> Int {
        guard let daylight else { return standard }
        let local = instant + Int64(standard)
        let year = CivilDate(days: Int(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)).year
        let begin = daylight.begin.instant(in: year, offset: standard)
        let end = daylight.end.instant(in: year, offset: daylight.offset)
        let isDaylight = begin < end ? begin <= instant && instant < end : instant >= begin || instant < end
        return isDaylight ? daylight.offset : standard
    }

    static func == (left: TimeZoneRule, right: TimeZoneRule) -> Bool {
        left.standard == right.standard && left.daylight?.offset == right.daylight?.offset
            && left.daylight?.begin == right.daylight?.begin && left.daylight?.end == right.daylight?.end
    }

    func hash(into hasher: inout Hasher) { hasher.combine(standard) }

    /// Letters, or anything between `<` and `>`.
    private static func takeName(_ rest: inout Substring) -> Bool {
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// `10`, `-10`, `5:45`, `-2:30:15`.
    private static func takeSeconds(_ rest: inout Substring) -> Int? {
        let sign = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        var (seconds, unit, isRead) = (0, 3_600, false)
        while unit > 0, let number = takeNumber(&rest), number <= 167 {
            seconds += number * unit
            isRead = true
            unit = unit == 3_600 ? 60 : unit == 60 ? 1 : 0
            guard rest.first == ":" else { break }
            rest.removeFirst()
        }
        return isRead ? sign * seconds : nil
    }

    private static func takeNumber(_ rest: inout Substring) -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard 1...3 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    private static func takeChange(_ rest: inout Substring) -> Change? {
        guard rest.first == "," else { return nil }
        rest.removeFirst()
        var change: Change
        switch rest.first {
        case "M":
            rest.removeFirst()
            var numbers: [Int] = []
            for index in 0..<3 {
                if index > 0 {
                    guard rest.first == "." else { return nil }
                    rest.removeFirst()
                }
                guard let number = takeNumber(&rest) else { return nil }
                numbers.append(number)
            }
            guard 1...12 ~= numbers[0], 1...5 ~= numbers[1], 0...6 ~= numbers[2] else { return nil }
            change = Change(day: .weekday(month: numbers[0], numbers[1], day: numbers[2]))
        case "J":
            rest.removeFirst()
            guard let number = takeNumber(&rest), 1...365 ~= number else { return nil }
            change = Change(day: .julian(number))
        default:
            guard let number = takeNumber(&rest), number <= 365 else { return nil }
            change = Change(day: .day(number))
        }
        if rest.first == "/" {
            rest.removeFirst()
            guard let seconds = takeSeconds(&rest) else { return nil }
            change.seconds = seconds
        }
        return change
    }
}

extension TimeZoneRule.Change {
    /// Seconds since 1970.
    fileprivate func instant(in year: Int, offset: Int) -> Int64 {
        let date: CivilDate
        switch day {
        case .weekday(let month, let number, let weekday):
            let first = CivilDate(year: year, month: month, day: 1)
            // Sunday is 6 in a civil date.
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
