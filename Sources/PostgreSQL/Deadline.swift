// SPDX-License-Identifier: Apache-2.0

/// The end of a wait.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after time: Duration) {
        // A sum with a longer one could overflow.
        end = .now + min(time, .seconds(365 * 86_400))
    }

    /// As poll(2) takes it, rounded up; 0 when the time is over.
    var milliseconds: CInt {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return 0 }
        return CInt(clamping: Int64(left / .milliseconds(1)) + 1)
    }
}
