// SPDX-License-Identifier: Apache-2.0

@_exported public import CivilDates

/// The opening hours of a place, as OpenStreetMap writes them: `Mo-Fr 09:00-17:00; PH off`.
///
/// There is no calendar of holidays. Therefore a rule for holidays (`PH`, `SH`) only matters where it makes a
/// difference: if a time is closed on ordinary days and open on holidays, its state is unknown. A time that is open on
/// ordinary days is open.
public struct OpeningHours: Hashable, Sendable {
    /// The maximum size of a text in bytes; a longer text is not read. OpenStreetMap allows 255 characters.
    public static let mostBytes = 1_020

    let rules: [HoursRule]

    /// - Throws: the reason why the text cannot be read.
    public init(_ text: String) throws(OpeningHoursError) {
        rules = try HoursParser.rules(text)
    }

    var holidays: Holidays { rules.reduce(into: []) { $0.formUnion($1.days.holidays) } }

    /// Returns the states of a day.
    ///
    /// - Parameters:
    ///   - holidays: the kinds of holiday that the day is assumed to be.
    ///   - sun: returns the minutes after midnight of an event of the sun on a day; nil if the event does not happen.
    func schedule(
        of date: CivilDate, holidays: Holidays, sun: (CivilDate, TimeSpan.Event) -> Int?
    ) -> DaySchedule {
        var result = DaySchedule()
        for rule in rules {
            guard let own = rule.schedule(of: date, holidays: holidays, sun: sun) else { continue }
            if rule.joint == .fallback {
                result = result.fallingBack(on: own)
            } else if rule.joint == .normal, rule.state != .closed, rule.days.matches(date, holidays) {
                // The rule replaces earlier rules on its own days. On the day after them it only adds the rest of the
                // night.
                result = own
            } else {
                result = result.replaced(by: own)
            }
        }
        return result
    }
}

extension HoursRule {
    /// Returns the states according to this rule alone; nil if the rule does not apply to the day.
    fileprivate func schedule(
        of date: CivilDate, holidays: Holidays, sun: (CivilDate, TimeSpan.Event) -> Int?
    ) -> DaySchedule? {
        let yesterday = date.adding(-1)
        var spans: [DaySchedule.Span] = []
        let isToday = days.matches(date, holidays)
        if isToday { spans += self.spans(of: date, sun) }
        // Add the spans that began on the day before and end on this day.
        if days.matches(yesterday, holidays) {
            spans += self.spans(of: yesterday, sun).compactMap { span in
                guard span.minutes.upperBound > 1_440 else { return nil }
                var rest = span
                rest.minutes = max(0, span.minutes.lowerBound - 1_440)..<span.minutes.upperBound - 1_440
                return rest
            }
        }
        guard isToday || !spans.isEmpty else { return nil }
        return DaySchedule(spans)
    }

    /// Returns the spans in minutes after the day's midnight, up to 48 hours.
    private func spans(of date: CivilDate, _ sun: (CivilDate, TimeSpan.Event) -> Int?) -> [DaySchedule.Span] {
        guard !times.isEmpty else { return [DaySchedule.Span(minutes: 0..<1_440, state: state, comment: comment)] }
        // Later spans override earlier ones. Ambiguous spans come first, so that they do not hide clear spans.
        let times = times.filter(\.isDoubtful) + times.filter { !$0.isDoubtful }
        return times.compactMap { span in
            guard !span.isDoubtful, let start = span.start.minutes(date, sun), var end = span.end.minutes(date, sun)
            else {
                // The times are ambiguous, or the sun does not rise or set: the state is unknown for the whole day.
                return DaySchedule.Span(minutes: 0..<1_440, state: .unknown, comment: comment)
            }
            if end <= start { end += 1_440 }
            guard start < end, start < 2_880 else { return nil }
            return DaySchedule.Span(minutes: start..<min(end, 2_880), state: state, comment: comment)
        }
    }
}

extension TimeSpan.Point {
    fileprivate func minutes(_ date: CivilDate, _ sun: (CivilDate, TimeSpan.Event) -> Int?) -> Int? {
        switch self {
        case .minutes(let minutes): minutes
        case .sun(let event, let offset): sun(date, event).map { max(0, $0 + offset) }
        }
    }
}
