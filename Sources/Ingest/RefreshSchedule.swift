// SPDX-License-Identifier: Apache-2.0

/// Decides when to fetch a source next. It is pure: the caller provides time and random numbers.
public struct RefreshSchedule: Hashable, Sendable {
    /// The random part of a wait, in either direction, so that sources that started together drift apart.
    public static let jitter = 0.1
    /// The wait after the first failure, or ``every`` if that is shorter.
    public static let firstBackoff = Duration.seconds(30)
    /// The longest wait after failures, or ``every`` if that is longer.
    public static let longestBackoff = Duration.seconds(3600)

    public var every: Duration

    public init(every: Duration) {
        self.every = every
    }

    /// The wait until the next fetch; nil if there is none.
    ///
    /// After a success the wait is ``every``. After failures it starts short and doubles. So a source that fails once
    /// is fetched again soon, even if it is fetched daily, and a source that keeps failing gets few requests.
    ///
    /// - Parameters:
    ///   - failures: the fetches that failed since the last success.
    ///   - random: at least 0 and below 1.
    public func wait(failures: Int = 0, random: Double) -> Duration? {
        if failures == 0 { return every > .zero ? jittered(every, random) : nil }
        let first = every > .zero ? min(every, Self.firstBackoff) : Self.firstBackoff
        let longest = max(every, Self.longestBackoff)
        return jittered(min(longest, first * (1 << min(failures - 1, 20))), random)
    }

    private func jittered(_ wait: Duration, _ random: Double) -> Duration {
        wait * (1 + Self.jitter * (2 * random - 1))
    }
}
