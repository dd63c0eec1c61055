// SPDX-License-Identifier: Apache-2.0

/// The states of one day as consecutive spans of minutes. Minutes outside all spans are closed.
struct DaySchedule: Hashable, Sendable {
    struct Span: Hashable, Sendable {
        /// The minutes after midnight, from 0 up to 1,440.
        var minutes: Range<Int>
        var state: OpeningState.Kind
        var comment: String?
    }

    /// The spans in order. They do not overlap.
    private(set) var spans: [Span] = []

    /// - Parameter spans: the spans. Later spans override earlier ones, and what extends beyond the day is cut off.
    init(_ spans: [Span] = []) {
        for var span in spans where span.minutes.lowerBound < 1_440 {
            span.minutes = span.minutes.lowerBound..<min(span.minutes.upperBound, 1_440)
            put(span)
        }
    }

    /// Returns this schedule, in which the spans of `other` replace what they overlap.
    func replaced(by other: DaySchedule) -> DaySchedule {
        var result = self
        for span in other.spans { result.put(span) }
        return result
    }

    /// Returns this schedule, completed by the spans of `other` where this one is closed.
    func fallingBack(on other: DaySchedule) -> DaySchedule {
        spans.filter { $0.state != .closed }.reduce(into: replaced(by: other)) { $0.put($1) }
    }

    func span(at minute: Int) -> Span? { spans.first { $0.minutes.contains(minute) } }

    private mutating func put(_ new: Span) {
        guard !new.minutes.isEmpty else { return }
        // Keep what remains of the old spans before and after the new one.
        let around = [0..<new.minutes.lowerBound, new.minutes.upperBound..<1_440]
        let left = spans.flatMap { span in
            around.map { Span(minutes: span.minutes.clamped(to: $0), state: span.state, comment: span.comment) }
        }
        spans = (left.filter { !$0.minutes.isEmpty } + [new]).sorted { $0.minutes.lowerBound < $1.minutes.lowerBound }
    }
}
