// SPDX-License-Identifier: Apache-2.0

/// Makes fixes (positions with their times) from a receiver's NMEA sentences, each fix only once.
///
/// A receiver sends several sentences for one fix. Only RMC sentences have a date, and most receivers send RMC after
/// GGA. Therefore the first fix without a date is held until a sentence with another time of day shows that the
/// receiver sends no RMC.
struct NMEAFixes {
    private enum State {
        /// No sentence has shown yet whether the receiver sends RMC. The value is the held fix; nil before the first
        /// fix.
        case undecided(Fix?)
        case withRMC, withoutRMC
    }

    private var state = State.undecided(nil)
    /// The time of day of the last fix without a date.
    private var timeOfDay: Double?

    /// Returns the fixes that are known to be final after this sentence, in order.
    mutating func read(_ sentence: NMEASentence) -> [Fix] {
        if sentence.isRMC {
            state = .withRMC
            return sentence.place.map { [Fix(place: $0, at: sentence.at)] } ?? []
        }
        guard let place = sentence.place, sentence.timeOfDay == nil || sentence.timeOfDay != timeOfDay else {
            return []
        }
        timeOfDay = sentence.timeOfDay
        let fix = Fix(place: place)
        switch state {
        case .withRMC: return []
        case .withoutRMC: return [fix]
        case .undecided(nil):
            state = .undecided(fix)
            return []
        case .undecided(let first?):
            state = .withoutRMC
            return [first, fix]
        }
    }

    /// Returns the fix that is still held at the end of the input; nil if there is none.
    mutating func end() -> Fix? {
        guard case .undecided(let fix) = state else { return nil }
        state = .withoutRMC
        return fix
    }
}
