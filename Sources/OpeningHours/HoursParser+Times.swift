// SPDX-License-Identifier: Apache-2.0

extension HoursParser {
    /// Reads the times of a rule; empty if it has none. A comma that is not followed by a time begins another rule.
    mutating func times() -> [TimeSpan] { scanner.list(Self.span) }

    private static func span(_ scanner: inout HoursScanner) -> TimeSpan? {
        guard let (first, from) = point(&scanner) else { return nil }
        // The end of `18:00+` is unknown: it is taken to be midnight.
        if scanner.take("+") {
            return TimeSpan(start: first, end: .minutes(24 * 60), isDoubtful: from.map { !$0.isClear } ?? false)
        }
        guard scanner.take("-") || scanner.takeWord("to"), let (last, to) = point(&scanner) else { return nil }
        var span = TimeSpan(start: first, end: last)
        switch (from, to) {
        case (let from?, let to?):
            // Here `9-17` are hours. In `Dec 9-17` the numbers were already read as days.
            guard from.isCertain || to.isCertain || max(from.minutes, to.minutes) <= 24 * 60 else { return nil }
            if let start = from.start(to: to) { span.start = .minutes(start) } else { span.isDoubtful = true }
        case (let clock?, nil), (nil, let clock?): span.isDoubtful = !clock.isClear
        case (nil, nil): break
        }
        // A plus after the end changes nothing: how much later it may be is unknown.
        _ = scanner.take("+")
        // In `10:00-16:00/01:30` the second part is the interval between departures or services. It does not change the
        // opening hours, so skip it.
        if scanner.take("/") { guard point(&scanner) != nil else { return nil } }
        return span
    }

    /// - Returns: the point and the time as it was written. An event of the sun has no written time.
    private static func point(_ scanner: inout HoursScanner) -> (TimeSpan.Point, HoursClock?)? {
        if scanner.take("(") {
            guard let event = event(&scanner) else { return nil }
            guard let sign = scanner.takeSign(), let clock = HoursClock(&scanner), scanner.take(")") else { return nil }
            return (.sun(event, offset: sign * clock.minutes), nil)
        }
        if let event = event(&scanner) { return (.sun(event, offset: 0), nil) }
        return HoursClock(&scanner).map { (.minutes($0.minutes), $0) }
    }

    private static let events = Dictionary(uniqueKeysWithValues: TimeSpan.Event.allCases.map { ($0.rawValue, $0) })

    private static func event(_ scanner: inout HoursScanner) -> TimeSpan.Event? { scanner.takeWord(of: events) }
}
