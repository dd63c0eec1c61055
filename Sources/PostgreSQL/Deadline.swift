// SPDX-License-Identifier: Apache-2.0

/// The end of a wait.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after time: Duration) {
        // The sum with a longer time could overflow.
        end = .now + min(time, .seconds(365 * 86_400))
    }

    /// The time left, as poll(2) takes it: rounded up, and 0 when the time is over.
    var milliseconds: CInt {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return 0 }
        return CInt(clamping: Int64(left / .milliseconds(1)) + 1)
    }
}
