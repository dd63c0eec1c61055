// SPDX-License-Identifier: Apache-2.0

/// The time at which a wait ends.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after time: Duration) {
        // With a longer time, the sum could overflow.
        end = .now + min(time, .seconds(365 * 86_400))
    }

    /// The remaining time for poll(2), rounded up; 0 if the deadline has passed.
    var milliseconds: CInt {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return 0 }
        return CInt(clamping: Int64(left / .milliseconds(1)) + 1)
    }
}
