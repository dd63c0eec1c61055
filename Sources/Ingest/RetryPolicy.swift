// SPDX-License-Identifier: Apache-2.0

/// How often, and after which waits, a failed fetch is tried again.
public struct RetryPolicy: Hashable, Sendable {
    /// The first one included.
    public var attempts: Int
    /// Before the second attempt; each further wait is twice as long.
    public var firstWait: Duration
    public var longestWait: Duration

    public init(attempts: Int = 4, firstWait: Duration = .milliseconds(500), longestWait: Duration = .seconds(30)) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    /// The wait after that many failed attempts; nil when it should not be tried again now.
    ///
    /// Between half of the doubled wait and all of it, so that many clients that failed together do not come back
    /// together. A server that asks for more than ``longestWait`` gets it from the schedule, not from a fetch that hangs.
    ///
    /// - Parameter random: from 0 up to 1.
    public func wait(afterAttempt failed: Int, retryAfter: Duration?, random: Double) -> Duration? {
        guard failed >= 1, failed < attempts else { return nil }
        let doubled = min(longestWait, firstWait * (1 << min(failed - 1, 20)))
        let jittered = doubled / 2 + doubled / 2 * random
        guard let retryAfter else { return jittered }
        return retryAfter <= longestWait ? max(retryAfter, jittered) : nil
    }
}
