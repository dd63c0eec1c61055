// SPDX-License-Identifier: Apache-2.0

@_exported public import CivilDates

/// The opening hours of a place, as OpenStreetMap writes them: `Mo-Fr 09:00-17:00; PH off`.
///
/// No calendar of holidays is known here. A rule for holidays (`PH`, `SH`) counts only where it makes a difference: a
/// time that is closed on ordinary days and open on holidays is unknown, and a time that is open on ordinary days is
/// open.
public struct OpeningHours: Hashable, Sendable {
    /// The most bytes of a text; longer ones are not understood. OpenStreetMap keeps 255 characters.
    public static let mostBytes = 1_020

    public let text: String
    let rules: [HoursRule]

    /// - Throws: the reason why the text is not understood.
    public init(_ text: String) throws(OpeningHoursError) {
        self.text = text
        rules = try HoursParser.rules(text)
    }

    var holidays: Holidays { rules.reduce(into: []) { $0.formUnion($1.days.holidays) } }

    /// The states of a day.
    ///
    /// - Parameters:
    ///   - holidays: the kinds of holiday that the day is assumed to be.
    ///   - sun: the minutes after midnight of an event of the sun on that day; nil if it does not happen.
    func schedule(
        of date: CivilDate, holidays: Holidays, sun: (CivilDate, TimeSpan.Event) -> Int?
    ) -> DaySchedule {
        var result: DaySchedule?
        for rule in rules {
            let own = rule.schedule(of: date, holidays: holidays, sun: sun)
            switch (rule.joint, rule.state) {
            case (.normal, .open), (.normal, .unknown):
                // The rule replaces earlier rules on its own days. To the day after them it only adds the rest of the
                // night.
                if rule.days.matches(date, holidays) {
                    result = own
                } else if let own {
                    result = (result ?? DaySchedule()).replaced(by: own)
                }
            case (.additional, _), (.normal, .closed):
                if let own { result = (result ?? DaySchedule()).replaced(by: own) }
            case (.fallback, _):
                if let own { result = (result ?? DaySchedule()).fallingBack(on: own) }
            }
        }
        return result ?? DaySchedule()
    }
}

extension HoursRule {
    /// The states by this rule alone; nil if it says nothing about the day.
    fileprivate func schedule(
        of date: CivilDate, holidays: Holidays, sun: (CivilDate, TimeSpan.Event) -> Int?
    ) -> DaySchedule? {
        let yesterday = date.adding(-1)
        var spans: [DaySchedule.Span] = []
        let isToday = days.matches(date, holidays)
        if isToday { spans += self.spans(of: date, sun) }
        // Spans that begin on the day before and end on this one.
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

    /// The spans in minutes after the day's midnight, up to 48 hours.
    private func spans(of date: CivilDate, _ sun: (CivilDate, TimeSpan.Event) -> Int?) -> [DaySchedule.Span] {
        guard !times.isEmpty else { return [DaySchedule.Span(minutes: 0..<1_440, state: state, comment: comment)] }
        // Later spans override earlier ones, so doubtful ones come first: they must not hide clear ones.
        let times = times.filter(\.isDoubtful) + times.filter { !$0.isDoubtful }
        return times.compactMap { span in
            guard !span.isDoubtful, let start = span.start.minutes(date, sun), var end = span.end.minutes(date, sun)
            else {
                // Ambiguous times, or a sun that does not rise or set: the whole day is unknown.
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
