// SPDX-License-Identifier: Apache-2.0

/// Decides when to fetch a source next. It has no side effects: the caller provides the time and the random numbers.
public struct RefreshSchedule: Hashable, Sendable {
    /// The share by which a wait is randomly longer or shorter, so that sources that started together are fetched at
    /// different times later.
    public static let jitter = 0.1
    /// The wait after the first failure, unless ``every`` is shorter.
    public static let firstBackoff = Duration.seconds(30)
    /// The maximum wait after failures, unless ``every`` is longer.
    public static let longestBackoff = Duration.seconds(3600)

    public var every: Duration

    public init(every: Duration) {
        self.every = every
    }

    /// Returns the wait until the next fetch; nil if there is no next fetch.
    ///
    /// After a success the wait is ``every``. After failures it is short at first and doubles each time. So a source
    /// that fails once is soon fetched again even if it is fetched daily, and one that keeps failing gets few requests.
    ///
    /// - Parameters:
    ///   - failures: the number of failed fetches since the last success.
    ///   - random: a random number of at least 0 and below 1.
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
