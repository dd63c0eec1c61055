// SPDX-License-Identifier: Apache-2.0

/// Decides when to fetch a source next. It has no side effects: the caller provides the time and the random numbers.
public enum RefreshSchedule {
    /// The share by which a wait is randomly longer or shorter, so that sources that started together are fetched at
    /// different times later.
    private static let jitter = 0.1
    /// The wait after the first failure, unless the interval is shorter.
    private static let firstBackoff = Duration.seconds(30)
    /// The maximum wait after failures, unless the interval is longer.
    private static let longestBackoff = Duration.seconds(3600)

    /// Returns the wait until the next fetch; nil if there is no next fetch.
    ///
    /// After a success the wait is the interval. After failures it is short at first and doubles each time. So a source
    /// that fails once is soon fetched again even if it is fetched daily, and one that keeps failing gets few requests.
    ///
    /// - Parameters:
    ///   - every: the interval of the source; zero if it is fetched only once.
    ///   - failures: the number of failed fetches since the last success.
    ///   - random: a random number of at least 0 and below 1.
    public static func wait(every: Duration, failures: Int = 0, random: Double) -> Duration? {
        if failures == 0 { return every > .zero ? jittered(every, random) : nil }
        let first = every > .zero ? min(every, firstBackoff) : firstBackoff
        let longest = max(every, longestBackoff)
        return jittered(min(longest, first * (1 << min(failures - 1, 20))), random)
    }

    private static func jittered(_ wait: Duration, _ random: Double) -> Duration {
        wait * (1 + jitter * (2 * random - 1))
    }
}
