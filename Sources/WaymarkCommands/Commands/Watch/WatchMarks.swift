// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The rows of a list that are marked for a while, because they came or changed.
struct WatchMarks {
    enum Mark: Character {
        case entered = "+"
        case changed = "*"

        var style: Style { self == .entered ? .green : .yellow }
    }

    private var marks: [Landmark.ID: (mark: Mark, until: ContinuousClock.Instant)] = [:]

    subscript(id: Landmark.ID) -> Mark? { marks[id]?.mark }

    /// When the next mark goes; nil if there is none.
    var next: ContinuousClock.Instant? { marks.values.map(\.until).min() }

    /// A landmark that only others have moved in the list, or your own move, has not changed itself.
    mutating func take(_ events: [WatchEvent], until: ContinuousClock.Instant) {
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
