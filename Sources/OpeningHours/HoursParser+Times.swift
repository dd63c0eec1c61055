// SPDX-License-Identifier: Apache-2.0

extension HoursParser {
    /// The times of a rule; empty without any.
    mutating func times() -> [TimeSpan] {
        var spans: [TimeSpan] = []
        while let span = scanner.attempt({ scanner -> TimeSpan? in
            // After a comma that does not continue the times, another rule begins.
            guard spans.isEmpty || scanner.take(",") else { return nil }
            return Self.span(&scanner)
        }) {
            spans.append(span)
        }
        return spans
    }

    private static func span(_ scanner: inout HoursScanner) -> TimeSpan? {
        guard let (first, isClock) = point(&scanner) else { return nil }
        if scanner.take("+") { return TimeSpan(start: first, end: .minutes(24 * 60), isOpenEnd: true) }
        guard scanner.take("-") || scanner.takeWord("to"), let (last, isAlsoClock) = point(&scanner) else { return nil }
        // `9-17` is hours; `Dec 9-17` was read as days before.
        guard isClock || isAlsoClock || Self.isHours(first, last) else { return nil }
        var span = TimeSpan(start: first, end: last)
        span.isOpenEnd = scanner.take("+")
        // The period of departures and services: `10:00-16:00/01:30`. It does not change when it is open.
        if scanner.take("/") { guard point(&scanner) != nil else { return nil } }
        return span
    }

    private static func isHours(_ first: TimeSpan.Point, _ last: TimeSpan.Point) -> Bool {
        guard case .minutes(let first) = first, case .minutes(let last) = last else { return false }
        return first <= 24 * 60 && last <= 24 * 60
    }

    /// - Returns: with whether it can only be a time of day.
    private static func point(_ scanner: inout HoursScanner) -> (TimeSpan.Point, isClock: Bool)? {
        if scanner.take("(") {
            guard let event = event(&scanner) else { return nil }
            let sign = scanner.take("+") ? 1 : scanner.take("-") ? -1 : 0
            guard sign != 0, let (minutes, _) = clock(&scanner), scanner.take(")") else { return nil }
            return (.sun(event, offset: sign * minutes), true)
        }
        if let event = event(&scanner) { return (.sun(event, offset: 0), true) }
        return clock(&scanner).map { (.minutes($0.minutes), $0.isCertain) }
    }

    private static func event(_ scanner: inout HoursScanner) -> TimeSpan.Event? {
        let event: TimeSpan.Event? =
            switch scanner.word {
            case "dawn": .dawn
            case "sunrise": .sunrise
            case "sunset": .sunset
            case "dusk": .dusk
            default: nil
            }
        if event != nil { _ = scanner.takeWord() }
        return event
    }

    /// `9:00`, `09.00`, `26:00`, `9`, `9am`, `9:30 pm`.
    private static func clock(_ scanner: inout HoursScanner) -> (minutes: Int, isCertain: Bool)? {
        guard 1...2 ~= scanner.digits else { return nil }
        guard var hour = scanner.takeNumber() else { return nil }
        var (minute, isCertain) = (0, false)
        let mark = scanner.next()
        if mark == ":" || mark == "." || mark == "h" {
            let found = scanner.attempt { scanner in
                guard scanner.take(mark.map(String.init) ?? ""), scanner.digits == 2 else { return Int?.none }
                return scanner.takeNumber()
            }
            guard let found, found < 60 else { return nil }
            (minute, isCertain) = (found, true)
        }
        if ["am", "pm"].contains(scanner.word), 1...12 ~= hour {
            hour = hour % 12 + (scanner.takeWord() == "pm" ? 12 : 0)
            isCertain = true
        }
        let minutes = hour * 60 + minute
        return minutes <= 48 * 60 ? (minutes, isCertain) : nil
    }
}
