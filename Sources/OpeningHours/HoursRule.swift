// SPDX-License-Identifier: Apache-2.0

/// One rule of the opening hours: a state on certain days at certain times.
struct HoursRule: Hashable, Sendable {
    /// The relation of a rule to the rules before it.
    enum Joint: Hashable, Sendable {
        /// `;`: the rule replaces earlier rules on its days. A rule that closes only removes its times.
        case normal
        /// `,`: the rule adds its times to those of earlier rules.
        case additional
        /// `||`: the rule applies where the rules before it are closed or say nothing.
        case fallback
    }

    var joint: Joint
    var days = DaySelector()
    /// The times of the rule; empty if it applies to the whole day.
    var times: [TimeSpan] = []
    var state = OpeningState.Kind.open
    var comment: String?

    var followsSun: Bool { times.contains { $0.start.isSun || $0.end.isSun } }
}

/// A span of time that begins on one day and may end on the next.
struct TimeSpan: Hashable, Sendable {
    enum Event: String, Hashable, Sendable, CaseIterable {
        case dawn, sunrise, sunset, dusk
    }

    enum Point: Hashable, Sendable {
        /// The minutes after midnight, up to 48 hours.
        case minutes(Int)
        /// An event of the sun, with a number of minutes to add.
        case sun(Event, offset: Int)

        var isSun: Bool { if case .sun = self { true } else { false } }
    }

    var start: Point
    var end: Point
    /// Whether the times are ambiguous, as in `9-5`. The state is then unknown for the whole day.
    var isDoubtful = false
}
