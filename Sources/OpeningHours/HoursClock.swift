// SPDX-License-Identifier: Apache-2.0

/// A time as people write it: `9:00`, `09.00`, `26:00`, `9`, `9am`, `9:30 pm`.
struct HoursClock: Hashable {
    private enum Half: Hashable { case am, pm }

    /// The time in minutes before which places rarely open. A smaller number without am or pm may mean the afternoon.
    private static let morning = 7 * 60
    private static let noon = 12 * 60

    /// The minutes after midnight, up to 48 hours.
    let minutes: Int
    private var hasMinutes = false
    private var half: Half?

    /// Reads a time from the scanner; nil if no time comes next.
    init?(_ scanner: inout HoursScanner) {
        guard 1...2 ~= scanner.digits, var hour = scanner.takeNumber() else { return nil }
        var minute = 0
        let mark = scanner.next()
        if mark == ":" || mark == "." || mark == "h" {
            let found = scanner.attempt { scanner in
                guard scanner.take(mark.map(String.init) ?? ""), scanner.digits == 2 else { return Int?.none }
                return scanner.takeNumber()
            }
            guard let found, found < 60 else { return nil }
            (minute, hasMinutes) = (found, true)
        }
        if ["am", "pm"].contains(scanner.word), 1...12 ~= hour {
            let half: Half = scanner.takeWord() == "pm" ? .pm : .am
            hour = hour % 12 + (half == .pm ? 12 : 0)
            self.half = half
        }
        minutes = hour * 60 + minute
        guard minutes <= 48 * 60 else { return nil }
    }

    /// Whether the text can only be a time of day, not a plain number.
    var isCertain: Bool { hasMinutes || half != nil }

    /// Whether the time is unambiguous even without another time beside it.
    var isClear: Bool { isCertain || isOf24Hours }

    /// Whether the time can only be one of a 24-hour clock.
    private var isOf24Hours: Bool { half == nil && !(60..<13 * 60 ~= minutes) }

    /// Returns the start of a span from this time to `end`, in minutes after midnight. Nil if the start is ambiguous
    /// because both times may be on a 12-hour clock: `9-5`, `3-11`, `9-11pm`.
    func start(to end: HoursClock) -> Int? {
        switch (half, end.half) {
        case (.some, .some): return minutes
        case (.some, nil): return end.isOf24Hours ? minutes : nil
        case (nil, nil):
            // Two times with minutes are in the form of the specification, in which `22:00-02:00` ends on the next day.
            if hasMinutes && end.hasMinutes || isOf24Hours || end.isOf24Hours { return minutes }
            return Self.morning <= minutes && minutes < end.minutes ? minutes : nil
        case (nil, let half?):
            if isOf24Hours { return minutes }
            let inMorning = minutes % Self.noon
            if half == .am { return inMorning < end.minutes ? inMorning : nil }
            // The span `9-5pm` begins in the morning, and `1-5pm` in the afternoon.
            if inMorning + Self.noon >= end.minutes { return inMorning }
            return inMorning < Self.morning ? inMorning + Self.noon : nil
        }
    }
}
