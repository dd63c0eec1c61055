// SPDX-License-Identifier: Apache-2.0

/// The fixes of a receiver, each of them once, made from its sentences.
///
/// A receiver sends several sentences for one fix. Only RMC has a date, and most receivers send it after GGA. So the
/// first fix without a date waits until a sentence of another time shows that no RMC comes.
struct NMEAFixes {
    private enum State {
        /// No sentence has shown yet whether the receiver sends RMC; holds the fix that waits.
        case undecided(Fix?)
        case withRMC, withoutRMC
    }

    private var state = State.undecided(nil)
    /// The time of day of the last fix without a date.
    private var timeOfDay: Double?

    /// The fixes that are certain after this sentence, in order.
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

    /// The fix that still waits at the end of the input; nil if there is none.
    mutating func end() -> Fix? {
        guard case .undecided(let fix) = state else { return nil }
        state = .withoutRMC
        return fix
    }
}
