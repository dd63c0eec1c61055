// SPDX-License-Identifier: Apache-2.0

extension HoursParser {
    /// The numbers of the months by their first three letters and by all longer beginnings.
    private static let months = beginnings(
        of: [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ], from: 3
    ).mapValues { $0 + 1 }

    /// Reads years, dates and weeks, in any order.
    mutating func dates(_ days: inout DaySelector) {
        while true {
            let start = scanner.place
            days.years += scanner.list(Self.yearRange)
            ranges(&days)
            weeks(&days)
            guard scanner.place != start else { return }
        }
    }

    private static func yearRange(_ scanner: inout HoursScanner) -> DaySelector.NumberRange? {
        guard let first = scanner.takeNumber(4...4), 1900...9999 ~= first else { return nil }
        // The number is the year of the date that follows, so it is no range of years.
        if month(scanner) != nil || scanner.word == "easter" { return nil }
        if scanner.take("+") { return DaySelector.NumberRange(first: first, last: 9_999) }
        var range = DaySelector.NumberRange(first: first, last: first)
        if let last = scanner.afterDash({ $0.takeNumber(4...4) }) {
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
            var range = DaySelector.NumberRange(first: first, last: first)
            if let last = scanner.afterDash({ $0.takeNumber() }) { range.last = last }
            if scanner.take("/"), let step = scanner.takeNumber() { range.step = step }
            days.weeks.append(range)
        } while scanner.attempt({ scanner in scanner.take(",") && scanner.digits > 0 ? true : nil }) != nil
        _ = scanner.take(":")
    }

    private mutating func ranges(_ days: inout DaySelector) {
        var month: Int?
        days.dates += scanner.list(isContinued: !days.dates.isEmpty) { Self.dateRange(&$0, &month) }
    }

    /// - Parameter month: the month of the previous range, which `Dec 24,31` needs. Set to the month of this range.
    private static func dateRange(_ scanner: inout HoursScanner, _ month: inout Int?) -> DaySelector.DateRange? {
        if let known = month, let day = dayNumber(&scanner) {
            let first = DaySelector.MonthDay(base: .day(month: known, day: day))
            let last = scanner.afterDash(dayNumber) ?? day
            return .days(first: first, last: DaySelector.MonthDay(base: .day(month: known, day: last)))
        }
        let year = year(&scanner)
        if let first = date(&scanner, year: year) {
            if case .day(let named, _) = first.base { month = named }
            if scanner.take("+") { return .from(first) }
            let last = scanner.afterDash { lastDate(&$0, after: first, &month) }
            return .days(first: first, last: last ?? first)
        }
        guard let first = takeMonth(&scanner) else { return nil }
        let last = scanner.afterDash(takeMonth)
        month = nil
        return .months(first: first, last: last ?? first, year: year)
    }

    /// Reads the last day of a range, after the dash: `Jan 06`, `26`.
    private static func lastDate(
        _ scanner: inout HoursScanner, after first: DaySelector.MonthDay, _ month: inout Int?
    ) -> DaySelector.MonthDay? {
        if case .day(let known, _) = first.base, let day = dayNumber(&scanner) {
            return DaySelector.MonthDay(year: first.year, base: .day(month: known, day: day))
        }
        let year = year(&scanner)
        guard let last = date(&scanner, year: year) else { return nil }
        if case .day(let named, _) = last.base { month = named }
        return last
    }

    /// Reads `Dec 24`, `easter -2 days` or `Oct Su[-1]`. Each may be followed by a number of days to add.
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
            // The date `Dec 25 -Su` is the Sunday before December 25.
            date.weekdayOffset = scanner.attempt { scanner in
                guard let direction = scanner.takeSign(), let weekday = HoursParser.day(&scanner), scanner.next() != "["
                else { return nil }
                return DaySelector.WeekdayOffset(weekday: weekday, direction: direction)
            }
            date.offset = HoursParser.offset(&scanner) ?? 0
            return date
        }
    }

    /// Reads a day of a month; nil if minutes follow, because the number is then a time.
    private static func dayNumber(_ scanner: inout HoursScanner) -> Int? {
        scanner.attempt { scanner in
            guard 1...2 ~= scanner.digits, let day = scanner.takeNumber(), 1...31 ~= day else { return nil }
            if scanner.next() == ":" || scanner.next() == ".", scanner.isBeforeDigit { return nil }
            return day
        }
    }

    /// Reads a year; nil if no date follows it.
    private static func year(_ scanner: inout HoursScanner) -> Int? {
        scanner.attempt { scanner in
            scanner.takeNumber(4...4).flatMap { month(scanner) != nil || scanner.word == "easter" ? $0 : nil }
        }
    }

    /// Returns the number of the month that comes next, without consuming it; nil if none does.
    private static func month(_ scanner: HoursScanner) -> Int? { months[scanner.word] }

    private static func takeMonth(_ scanner: inout HoursScanner) -> Int? { scanner.takeWord(of: months) }
}
