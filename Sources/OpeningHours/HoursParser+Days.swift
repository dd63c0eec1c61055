// SPDX-License-Identifier: Apache-2.0

extension HoursParser {
    /// The numbers of the weekdays by their first two letters and by all longer beginnings: `mo`, `mond`.
    private static let days = beginnings(
        of: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], from: 2)

    /// Maps all beginnings of the words, of at least `least` letters, to the indexes of the words.
    static func beginnings(of words: [String], from least: Int) -> [String: Int] {
        var found: [String: Int] = [:]
        for (place, word) in words.enumerated() {
            for count in least...word.count { found[String(word.prefix(count))] = place }
        }
        return found
    }

    /// Reads the weekdays and holidays of a rule.
    mutating func weekdays(_ days: inout DaySelector) {
        while true {
            let (isFirst, isJoined) = (days.weekdays.isEmpty, scanner.next() == ",")
            let found = scanner.attempt { scanner -> DaySelector.Weekday? in
                guard isFirst || scanner.take(",") || scanner.isAtLetter else { return nil }
                return Self.weekday(&scanner)
            }
            guard let found else { return }
            // For `PH Su`, a holiday that falls on a Sunday, a day must match both; for `PH,Su` one of them is enough.
            let isApart = !isJoined && !found.isHoliday && days.weekdays.last?.allSatisfy(\.isHoliday) == true
            if isFirst || isApart { days.weekdays.append([]) }
            days.weekdays[days.weekdays.count - 1].append(found)
        }
    }

    private static func weekday(_ scanner: inout HoursScanner) -> DaySelector.Weekday? {
        if let kind = scanner.takeWord(of: ["ph": Holidays.public, "sh": .school]) {
            return .holiday(offset(&scanner) == nil ? kind : .shifted)
        }
        guard let first = day(&scanner) else { return nil }
        if scanner.next() == "[" {
            guard let numbers = numbers(&scanner) else { return nil }
            return .nth(weekday: first, numbers, offset: offset(&scanner) ?? 0)
        }
        let last = scanner.afterDash(day)
        return .range(first: first, last: last ?? first)
    }

    static func day(_ scanner: inout HoursScanner) -> Int? { scanner.takeWord(of: days) }

    /// Reads `[1,3]`, `[1-2]`, `[-1]`.
    private static func numbers(_ scanner: inout HoursScanner) -> [ClosedRange<Int>]? {
        guard scanner.take("[") else { return nil }
        var ranges: [ClosedRange<Int>] = []
        repeat {
            let sign = scanner.take("-") ? -1 : 1
            guard let first = scanner.takeNumber(), 1...5 ~= first else { return nil }
            guard sign > 0, scanner.take("-") else {
                ranges.append(sign * first...sign * first)
                continue
            }
            guard let last = scanner.takeNumber(), first...5 ~= last else { return nil }
            ranges.append(first...last)
        } while scanner.take(",")
        return scanner.take("]") ? ranges : nil
    }

    /// Reads `+1 day`, `-2 days`.
    static func offset(_ scanner: inout HoursScanner) -> Int? {
        scanner.attempt { scanner in
            guard let sign = scanner.takeSign(), let count = scanner.takeNumber(1...3), scanner.takeWord("day", "days")
            else { return nil }
            return sign * count
        }
    }
}
