// SPDX-License-Identifier: Apache-2.0

/// The counts of each part of a profile. An operation belongs to the part in which it was meant to be sent, however long
/// it took. Empty if the load has no profile.
struct ProfileTally: Sendable {
    private let profile: LoadProfile?
    private let countsFrom: UInt64
    private var tallies: [Tally]

    /// - Parameter time: the time on ``NanoClock`` at which the profile begins.
    init(_ profile: LoadProfile?, from time: UInt64) {
        (self.profile, countsFrom) = (profile, time)
        // The seconds are counted for the whole load only.
        tallies = Array(repeating: Tally(from: .max), count: profile?.parts.count ?? 0)
    }

    /// Counts in the part to which an intended time belongs.
    mutating func count(_ intended: UInt64, _ body: (inout Tally) -> Void) {
        guard let profile, intended >= countsFrom else { return }
        body(&tallies[profile.part(at: Double(intended - countsFrom) / 1e9)])
    }

    /// The results of the parts that have begun.
    ///
    /// - Parameter seconds: the time of the run, which may have ended early.
    func results(seconds: Double) -> [LoadResult.Part] {
        guard let profile else { return [] }
        return zip(profile.parts, tallies).enumerated().compactMap { place, counted in
            let (part, tally) = counted
            // The run may have waited longer for its last answers.
            let length = min(part.seconds, seconds - part.begin)
            guard length > 0 else { return nil }
            let intended = profile.operations(until: part.begin + length) - profile.operations(until: part.begin)
            return LoadResult.Part(
                "[\(place + 1)] \(part.label)",
                LoadResult(tally, seconds: length, rate: intended / length), number: place + 1)
        }
    }
}
