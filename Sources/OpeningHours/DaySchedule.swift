// SPDX-License-Identifier: Apache-2.0

/// The states of one day: consecutive spans of minutes. Times that no span covers are closed.
struct DaySchedule: Hashable, Sendable {
    struct Span: Hashable, Sendable {
        /// Minutes after midnight, 0 up to 1,440.
        var minutes: Range<Int>
        var state: OpeningState.Kind
        var comment: String?
    }

    /// In order, without overlaps.
    private(set) var spans: [Span] = []

    init() {}

    /// - Parameter spans: what lies beyond the day is cut off. Later ones take the place of earlier ones.
    init(_ spans: [Span]) {
        for var span in spans where span.minutes.lowerBound < 1_440 {
            span.minutes = span.minutes.lowerBound..<min(span.minutes.upperBound, 1_440)
            put(span)
        }
    }

    /// The other's spans take the place of these.
    func replaced(by other: DaySchedule) -> DaySchedule {
        var result = self
        for span in other.spans { result.put(span) }
        return result
    }

    /// The other's spans take the place of closed times alone.
    func fallingBack(on other: DaySchedule) -> DaySchedule {
        spans.filter { $0.state != .closed }.reduce(into: replaced(by: other)) { $0.put($1) }
    }

    func span(at minute: Int) -> Span? { spans.first { $0.minutes.contains(minute) } }

    private mutating func put(_ new: Span) {
        guard !new.minutes.isEmpty else { return }
        // The others stay before and behind it.
        let around = [0..<new.minutes.lowerBound, new.minutes.upperBound..<1_440]
        let left = spans.flatMap { span in
            around.map { Span(minutes: span.minutes.clamped(to: $0), state: span.state, comment: span.comment) }
        }
        spans = (left.filter { !$0.minutes.isEmpty } + [new]).sorted { $0.minutes.lowerBound < $1.minutes.lowerBound }
    }
}
