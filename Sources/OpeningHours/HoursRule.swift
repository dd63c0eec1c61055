// SPDX-License-Identifier: Apache-2.0

/// One rule of the hours: a state on certain days, at certain times.
struct HoursRule: Hashable, Sendable {
    /// The relation to the rules before it.
    enum Joint: Hashable, Sendable {
        /// `;`: the rule replaces earlier ones on its days. A closing rule only takes times away.
        case normal
        /// `,`: the rule adds its times.
        case additional
        /// `||`: the rule applies whenever the rules before it are closed or say nothing.
        case fallback
    }

    var joint: Joint
    var days = DaySelector()
    /// The times of the rule; empty for the whole day.
    var times: [TimeSpan] = []
    var state = OpeningState.Kind.open
    var comment: String?

    var followsSun: Bool { times.contains { $0.start.isSun || $0.end.isSun } }
}

/// A span of times on a day. It may end on the next day.
struct TimeSpan: Hashable, Sendable {
    enum Event: String, Hashable, Sendable, CaseIterable {
        case dawn, sunrise, sunset, dusk
    }

    enum Point: Hashable, Sendable {
        /// Minutes after midnight; up to 48 hours.
        case minutes(Int)
        /// An event of the sun, and the minutes to add.
        case sun(Event, offset: Int)

        var isSun: Bool { if case .sun = self { true } else { false } }
    }

    var start: Point
    var end: Point
    /// Whether the end is unknown: `18:00+`.
    var isOpenEnd = false
    /// Whether the clock is ambiguous, as in `9-5`: then nothing is known about the day.
    var isDoubtful = false
}
