// SPDX-License-Identifier: Apache-2.0

/// The days of a rule. A day must match every property that is given, that is, be in one of the property's ranges.
struct DaySelector: Hashable, Sendable {
    /// A range of years or weeks.
    struct NumberRange: Hashable, Sendable {
        var first: Int
        var last: Int
        var step = 1

        /// - Parameter cycle: the number after which counting starts again at 1, so that a range may extend past it.
        func contains(_ number: Int, cycle: Int? = nil) -> Bool {
            guard first > last, let cycle else {
                return first <= number && number <= last && (number - first) % max(1, step) == 0
            }
            return (number >= first || number <= last) && (number - first + cycle) % cycle % max(1, step) == 0
        }
    }

    /// A day of every year, or of one year.
    struct MonthDay: Hashable, Sendable {
        enum Base: Hashable, Sendable {
            case day(month: Int, day: Int)
            case easter
            /// The nth weekday of a month. A negative number counts from the end of the month.
            case nth(month: Int, weekday: Int, Int)
        }

        var year: Int?
        var base: Base
        /// The number of days to add.
        var offset = 0
        var weekdayOffset: WeekdayOffset?
    }

    /// Moves a day to the next (1) or previous (-1) given weekday, unless the day already has this weekday.
    struct WeekdayOffset: Hashable, Sendable {
        var weekday: Int
        var direction: Int
    }

    enum DateRange: Hashable, Sendable {
        /// Whole months.
        case months(first: Int, last: Int, year: Int?)
        case days(first: MonthDay, last: MonthDay)
        /// All days from this one to the end of its year; if the day has a year, all later days.
        case from(MonthDay)
    }

    enum Weekday: Hashable, Sendable {
        /// A range of weekdays, which may extend past Sunday. Monday has the number 0.
        case range(first: Int, last: Int)
        /// The nth weekdays of a month, moved by a number of days. Negative numbers count from the end of the month.
        case nth(weekday: Int, [ClosedRange<Int>], offset: Int)
        case holiday(Holidays)
    }

    var years: [NumberRange] = []
    var dates: [DateRange] = []
    var weeks: [NumberRange] = []
    /// Lists of weekdays. A day must match each list. A holiday before weekdays is a list of its own.
    var weekdays: [[Weekday]] = []

    var isEmpty: Bool { years.isEmpty && dates.isEmpty && weeks.isEmpty && weekdays.isEmpty }

    var holidays: Holidays {
        weekdays.joined().reduce(into: []) { if case .holiday(let kind) = $1 { $0.formUnion(kind) } }
    }

    /// - Parameter holidays: the kinds of holiday that the day is assumed to be.
    func matches(_ date: CivilDate, _ holidays: Holidays) -> Bool {
        let year = date.year
        guard years.isEmpty || years.contains(where: { $0.contains(year) }),
            dates.isEmpty || dates.contains(where: { $0.contains(date) }),
            weeks.isEmpty || weeks.contains(where: { $0.contains(date.week, cycle: 53) })
        else { return false }
        return weekdays.allSatisfy { list in list.contains { $0.contains(date, holidays) } }
    }
}

extension DaySelector.Weekday {
    var isHoliday: Bool { if case .holiday = self { true } else { false } }

    func contains(_ date: CivilDate, _ holidays: Holidays) -> Bool {
        switch self {
        case .range(let first, let last):
            return first <= last ? first...last ~= date.weekday : date.weekday >= first || date.weekday <= last
        case .nth(let weekday, let numbers, let offset):
            let day = date.adding(-offset)
            guard day.weekday == weekday else { return false }
            let (year, month, number) = day.parts
            let fromStart = (number - 1) / 7 + 1
            let fromEnd = -((CivilDate.daysInMonth(month, of: year) - number) / 7 + 1)
            return numbers.contains { $0.contains(fromStart) || $0.contains(fromEnd) }
        case .holiday(let kind): return !holidays.isDisjoint(with: kind)
        }
    }
}

extension DaySelector.MonthDay {
    /// Returns the day in the given year, or in its own year if it has one.
    func date(in year: Int) -> CivilDate {
        let year = self.year ?? year
        var date =
            switch base {
            case .day(let month, let day): CivilDate(year: year, month: month, day: day)
            case .easter: CivilDate.easter(of: year)
            case .nth(let month, let weekday, let number): Self.nth(number, weekday, month, year)
            }
        if let weekdayOffset, date.weekday != weekdayOffset.weekday {
            let ahead = (weekdayOffset.weekday - date.weekday + 7) % 7
            date = date.adding(weekdayOffset.direction > 0 ? ahead : ahead - 7)
        }
        return date.adding(offset)
    }

    private static func nth(_ number: Int, _ weekday: Int, _ month: Int, _ year: Int) -> CivilDate {
        if number > 0 {
            let first = CivilDate(year: year, month: month, day: 1)
            return first.adding((weekday - first.weekday + 7) % 7 + (number - 1) * 7)
        }
        let last = CivilDate(year: year, month: month, day: CivilDate.daysInMonth(month, of: year))
        return last.adding(-((last.weekday - weekday + 7) % 7) + (number + 1) * 7)
    }
}

extension DaySelector.DateRange {
    func contains(_ date: CivilDate) -> Bool {
        let (year, month, _) = date.parts
        switch self {
        case .months(let first, let last, let only):
            if let only {
                let end = first <= last ? only : only + 1
                return (year, month) >= (only, first) && (year, month) <= (end, last)
            }
            return first <= last ? first...last ~= month : month >= first || month <= last
        case .from(let first):
            let start = first.date(in: year)
            return date >= start
        case .days(let first, let last):
            if first.year != nil {
                let start = first.date(in: year)
                let sameYear = last.date(in: last.year ?? start.year)
                let end = last.year == nil && sameYear < start ? last.date(in: start.year + 1) : sameYear
                return start <= date && date <= end
            }
            let (start, end) = (first.date(in: year), last.date(in: year))
            return start <= end ? start <= date && date <= end : date >= start || date <= end
        }
    }
}
