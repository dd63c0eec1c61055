// SPDX-License-Identifier: Apache-2.0

extension HoursParser {
    /// By their first three letters, and by any longer beginning.
    private static let months = beginnings(
        of: [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ], from: 3)

    /// Years, dates and weeks, in any order.
    mutating func dates(_ days: inout DaySelector) {
        while true {
            let start = scanner.place
            years(&days)
            ranges(&days)
            weeks(&days)
            guard scanner.place != start else { return }
        }
    }

    private mutating func years(_ days: inout DaySelector) {
        var ranges: [DaySelector.YearRange] = []
        while let range = scanner.attempt({ scanner -> DaySelector.YearRange? in
            guard ranges.isEmpty || scanner.take(",") else { return nil }
            return Self.yearRange(&scanner)
        }) {
            ranges.append(range)
        }
        days.years += ranges
    }

    private static func yearRange(_ scanner: inout HoursScanner) -> DaySelector.YearRange? {
        guard let first = scanner.takeNumber(4...4), 1900...9999 ~= first else { return nil }
        // With a date it is the year of that date.
        if month(scanner) != nil || scanner.word == "easter" { return nil }
        if scanner.take("+") { return DaySelector.YearRange(first: first, last: 9_999) }
        var range = DaySelector.YearRange(first: first, last: first)
        if let last = scanner.attempt({ scanner in scanner.take("-") ? scanner.takeNumber(4...4) : nil }) {
            if month(scanner) != nil { return nil }
            range.last = last
        }
        if scanner.take("/") {
            guard let step = scanner.takeNumber(1...3) else { return nil }
            if range.last == range.first { range.last = 9_999 }
            range.step = step
        }
        return range
    }

    private mutating func weeks(_ days: inout DaySelector) {
        guard scanner.takeWord("week", "weeks", "wk") else { return }
        repeat {
            guard let first = scanner.takeNumber() else { return }
            var range = DaySelector.WeekRange(first: first, last: first)
            if let last = scanner.attempt({ scanner in scanner.take("-") ? scanner.takeNumber() : nil }) {
                range.last = last
            }
            if scanner.take("/"), let step = scanner.takeNumber() { range.step = step }
            days.weeks.append(range)
        } while scanner.attempt({ scanner in scanner.take(",") && scanner.digits > 0 ? true : nil }) != nil
        if scanner.next() == ":" { _ = scanner.take(":") }
    }

    private mutating func ranges(_ days: inout DaySelector) {
        var month: Int?
        while let range = scanner.attempt({ scanner -> DaySelector.DateRange? in
            let isFirst = month == nil && days.dates.isEmpty
            guard isFirst || scanner.take(",") else { return nil }
            return Self.dateRange(&scanner, &month)
        }) {
            days.dates.append(range)
        }
    }

    /// - Parameter month: the month of the range before it, for `Dec 24,31`; then that of this one.
    private static func dateRange(_ scanner: inout HoursScanner, _ month: inout Int?) -> DaySelector.DateRange? {
        if let known = month, let day = dayNumber(&scanner) {
            let first = DaySelector.MonthDay(base: .day(month: known, day: day))
            let last = scanner.attempt { scanner in scanner.take("-") ? dayNumber(&scanner) : nil } ?? day
            return .days(first: first, last: DaySelector.MonthDay(base: .day(month: known, day: last)))
        }
        let year = scanner.attempt { scanner in
            scanner.takeNumber(4...4).flatMap { Self.month(scanner) != nil || scanner.word == "easter" ? $0 : nil }
        }
        if let first = date(&scanner, year: year) {
            if case .day(let named, _) = first.base { month = named }
            if scanner.take("+") { return .from(first) }
            guard let last = scanner.attempt({ scanner in lastDate(&scanner, after: first, &month) }) else {
                return .days(first: first, last: first)
            }
            return .days(first: first, last: last)
        }
        guard let first = takeMonth(&scanner) else { return nil }
        let last = scanner.attempt { scanner in scanner.take("-") ? takeMonth(&scanner) : nil }
        month = nil
        return .months(first: first, last: last ?? first, year: year)
    }

    /// The end of a range of days: `-Jan 06`, `-26`.
    private static func lastDate(
        _ scanner: inout HoursScanner, after first: DaySelector.MonthDay, _ month: inout Int?
    ) -> DaySelector.MonthDay? {
        guard scanner.take("-") else { return nil }
        if case .day(let known, _) = first.base, let day = dayNumber(&scanner) {
            return DaySelector.MonthDay(year: first.year, base: .day(month: known, day: day))
        }
        let year = scanner.attempt { scanner in
            scanner.takeNumber(4...4).flatMap { Self.month(scanner) != nil || scanner.word == "easter" ? $0 : nil }
        }
        guard let last = date(&scanner, year: year) else { return nil }
        if case .day(let named, _) = last.base { month = named }
        return last
    }

    /// `Dec 24`, `easter -2 days`, `Oct Su[-1]`; each with days to add.
    private static func date(_ scanner: inout HoursScanner, year: Int?) -> DaySelector.MonthDay? {
        scanner.attempt { scanner in
            var date: DaySelector.MonthDay
            if scanner.takeWord("easter") {
                date = DaySelector.MonthDay(year: year, base: .easter)
            } else {
                guard let month = takeMonth(&scanner) else { return nil }
                if let day = dayNumber(&scanner) {
                    date = DaySelector.MonthDay(year: year, base: .day(month: month, day: day))
                } else {
                    guard let weekday = HoursParser.day(&scanner), scanner.take("[") else { return nil }
                    let sign = scanner.take("-") ? -1 : 1
                    guard let number = scanner.takeNumber(), 1...5 ~= number, scanner.take("]") else { return nil }
                    date = DaySelector.MonthDay(
                        year: year, base: .nth(month: month, weekday: weekday, sign * number))
                }
            }
            // `Dec 25 -Su`: the Sunday before.
            let toWeekday = scanner.attempt { scanner -> (Int, Int)? in
                let direction = scanner.take("+") ? 1 : scanner.take("-") ? -1 : 0
                guard direction != 0, let weekday = HoursParser.day(&scanner), scanner.next() != "[" else { return nil }
                return (weekday, direction)
            }
            if let (weekday, direction) = toWeekday { date.weekdayOffset = (weekday, direction) }
            date.offset = HoursParser.offset(&scanner) ?? 0
            return date
        }
    }

    /// A day of a month, which no minutes follow.
    private static func dayNumber(_ scanner: inout HoursScanner) -> Int? {
        scanner.attempt { scanner in
            guard 1...2 ~= scanner.digits, let day = scanner.takeNumber(), 1...31 ~= day else { return nil }
            if scanner.next() == ":" || scanner.next() == ".", scanner.isBeforeDigit { return nil }
            return day
        }
    }

    /// The month that comes next, without taking it.
    private static func month(_ scanner: HoursScanner) -> Int? {
        scanner.isAtLetter ? months[scanner.word].map { $0 + 1 } : nil
    }

    private static func takeMonth(_ scanner: inout HoursScanner) -> Int? {
        let month = month(scanner)
        if month != nil { _ = scanner.takeWord() }
        return month
    }
}
