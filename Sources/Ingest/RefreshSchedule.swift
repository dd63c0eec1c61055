// SPDX-License-Identifier: Apache-2.0

/// When a source is fetched next. Pure: the caller has the clock and the dice.
public struct RefreshSchedule: Hashable, Sendable {
    /// The part of a wait that chance adds or takes: sources that started together drift apart.
    public static let jitter = 0.1
    /// The wait after the first failure, unless the source is fetched more often than that.
    public static let firstBackoff = Duration.seconds(30)
    /// What the waits grow to, unless the source is fetched more rarely than that.
    public static let longestBackoff = Duration.seconds(3600)

    public var every: Duration

    public init(every: Duration) {
        self.every = every
    }

    /// The wait until the next fetch; nil for none.
    ///
    /// After a success that is ``every``. After failures it doubles from a short one: a source that is away for a moment
    /// is soon read again also when it is fetched once a day, and one that stays away is left alone.
    ///
    /// - Parameters:
    ///   - failures: fetches that failed since the last success.
    ///   - retryAfter: the wait that the source asked for. Never undercut, but bounded by a day.
    ///   - random: from 0 up to 1.
    public func wait(failures: Int = 0, retryAfter: Duration? = nil, random: Double) -> Duration? {
        if failures == 0 { return every > .zero ? jittered(every, random) : nil }
        let first = every > .zero ? min(every, Self.firstBackoff) : Self.firstBackoff
        let longest = max(every, Self.longestBackoff)
        let backoff = jittered(min(longest, first * (1 << min(failures - 1, 20))), random)
        return max(backoff, min(retryAfter ?? .zero, .seconds(86_400)))
    }

    private func jittered(_ wait: Duration, _ random: Double) -> Duration {
        wait * (1 + Self.jitter * (2 * random - 1))
    }
}
