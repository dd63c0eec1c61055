// SPDX-License-Identifier: Apache-2.0

/// Reads opening hours as OpenStreetMap writes them ("opening_hours", specification 0.7.3), and common forms that the
/// specification does not allow: full names of days, a colon after the days, `9-17`, `9am-5pm`.
struct HoursParser {
    private static let mostRules = 100

    var scanner: HoursScanner

    static func rules(_ text: String) throws(OpeningHoursError) -> [HoursRule] {
        guard text.utf8.count <= OpeningHours.mostBytes else { throw .tooLong }
        var parser = HoursParser(scanner: HoursScanner(text))
        return try parser.all()
    }

    private mutating func all() throws(OpeningHoursError) -> [HoursRule] {
        var rules: [HoursRule] = []
        var joint = HoursRule.Joint.normal
        while true {
            // Many texts end with a semicolon.
            if scanner.isAtEnd, !rules.isEmpty, joint == .normal { return rules }
            guard rules.count < Self.mostRules else { throw .tooLong }
            rules.append(try rule(joint))
            if scanner.isAtEnd { return rules }
            if scanner.take("||") {
                joint = .fallback
            } else if scanner.take(";") {
                joint = .normal
                while scanner.take(";") {}
            } else if scanner.take(",") {
                joint = .additional
            } else {
                throw .malformed(near: scanner.rest)
            }
        }
    }

    private mutating func rule(_ joint: HoursRule.Joint) throws(OpeningHoursError) -> HoursRule {
        var rule = HoursRule(joint: joint)
        let start = scanner.place
        if !takeAlways() {
            dates(&rule.days)
            // A colon may follow the dates, even before weekdays.
            if !rule.days.isEmpty { _ = scanner.take(":") }
            weekdays(&rule.days)
            // Holidays may precede the dates: `PH Dec 25`.
            if rule.days.dates.isEmpty, rule.days.years.isEmpty { dates(&rule.days) }
            // A colon may follow the days.
            if scanner.place != start { _ = scanner.take(":") }
            rule.times = times()
        }
        modifier(&rule)
        guard scanner.place != start else { throw .malformed(near: scanner.rest) }
        return rule
    }

    private mutating func takeAlways() -> Bool {
        scanner.attempt { scanner in
            guard scanner.take("24/7") || scanner.take("24 / 7"), scanner.next() != "-" else { return nil }
            return true
        } ?? false
    }

    private static let states: [String: OpeningState.Kind] = [
        "open": .open, "closed": .closed, "off": .closed, "close": .closed, "unknown": .unknown,
    ]

    private mutating func modifier(_ rule: inout HoursRule) {
        let state = scanner.takeWord(of: Self.states)
        rule.comment = scanner.takeText()
        // A comment without a state means that the hours depend on something.
        rule.state = state ?? (rule.comment == nil ? .open : .unknown)
    }
}

/// The reason why a text cannot be read as opening hours. The landmark keeps the text nevertheless.
public enum OpeningHoursError: Error, Hashable, Sendable {
    case tooLong
    /// - Parameter near: the text at which reading failed, shortened.
    case malformed(near: String)
}
