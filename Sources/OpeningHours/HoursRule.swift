// SPDX-License-Identifier: Apache-2.0

/// One rule of the hours: on these days, at these times, this state.
struct HoursRule: Hashable, Sendable {
    /// How it joins the rules before it.
    enum Joint: Hashable, Sendable {
        /// `;`: on its days it replaces them. Closing rules only take away.
        case normal
        /// `,`: it adds its times.
        case additional
        /// `||`: it counts at each time at which the rules before it are closed, or say nothing.
        case fallback
    }

    var joint: Joint
    var days = DaySelector()
    /// Empty: the whole day.
    var times: [TimeSpan] = []
    var state = OpeningState.Kind.open
    var comment: String?

    var followsSun: Bool { times.contains { $0.start.isSun || $0.end.isSun } }
}

/// A span of times of a day. It may end on the next day.
struct TimeSpan: Hashable, Sendable {
    enum Event: String, Hashable, Sendable, CaseIterable {
        case dawn, sunrise, sunset, dusk
    }

    enum Point: Hashable, Sendable {
        /// Minutes after midnight; up to 48 hours.
        case minutes(Int)
        /// An event of the sun, and minutes to add.
        case sun(Event, offset: Int)

        var isSun: Bool { if case .sun = self { true } else { false } }
    }

    var start: Point
    var end: Point
    /// `18:00+`: when it ends is not known.
    var isOpenEnd = false
    /// `9-5`: which clock is meant is not clear, so nothing is known about the day.
    var isDoubtful = false
}
