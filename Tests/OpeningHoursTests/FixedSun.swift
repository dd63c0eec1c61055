// SPDX-License-Identifier: Apache-2.0

@testable import OpeningHours

/// The sun as opening-hours-py has it where no place is given.
enum FixedSun {
    /// Minutes after midnight.
    static func minutes(_ date: CivilDate, _ event: TimeSpan.Event) -> Int? {
        switch event {
        case .dawn: 360
        case .sunrise: 420
        case .sunset: 1_140
        case .dusk: 1_200
        }
    }
}
