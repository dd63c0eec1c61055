// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The marks that rows keep for a while after their landmarks came or changed.
struct WatchMarks {
    enum Mark: Character {
        case entered = "+"
        case changed = "*"

        var style: Style { self == .entered ? .green : .yellow }
    }

    private var marks: [Landmark.ID: (mark: Mark, until: ContinuousClock.Instant)] = [:]

    subscript(id: Landmark.ID) -> Mark? { marks[id]?.mark }

    /// The time at which the next mark disappears; nil if there is no mark.
    var next: ContinuousClock.Instant? { marks.values.map(\.until).min() }

    /// Adds the marks for these events. A landmark gets no mark if only its rank or distance changed.
    mutating func apply(_ events: [WatchEvent], until: ContinuousClock.Instant) {
        for event in events {
            switch event {
            case .entered(let hit, _): marks[hit.landmark.id] = (.entered, until)
            case .changed(let hit, _): marks[hit.landmark.id] = (.changed, until)
            case .left(let id, _): marks[id] = nil
            case .moved: break
            }
        }
    }

    mutating func expire(at now: ContinuousClock.Instant) { marks = marks.filter { $1.until > now } }
}
