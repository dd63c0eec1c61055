// SPDX-License-Identifier: Apache-2.0

/// The maximum number of attempts of a fetch, and the waits between them.
public struct RetryPolicy: Hashable, Sendable {
    /// The maximum number of attempts, including the first one.
    public var attempts = 4
    /// The base of the wait before the second attempt. It doubles for each further attempt.
    public var firstWait = Duration.milliseconds(500)
    public var longestWait = Duration.seconds(30)

    public static let standard = RetryPolicy()

    /// Returns the wait after this number of failed attempts; nil if the fetch should end.
    ///
    /// The wait is a random value between half of the doubled wait and all of it, so that clients that failed together
    /// do not return together. If a server asks for more than ``longestWait``, the fetch ends, and the schedule waits.
    ///
    /// - Parameter random: a random number of at least 0 and below 1.
    public func wait(afterAttempt failed: Int, retryAfter: Duration?, random: Double) -> Duration? {
        guard failed >= 1, failed < attempts else { return nil }
        let doubled = min(longestWait, firstWait * (1 << min(failed - 1, 20)))
        let jittered = doubled / 2 + doubled / 2 * random
        guard let retryAfter else { return jittered }
        return retryAfter <= longestWait ? max(retryAfter, jittered) : nil
    }
}
