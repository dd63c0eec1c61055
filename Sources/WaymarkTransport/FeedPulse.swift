// SPDX-License-Identifier: Apache-2.0

/// The times at which a follower last received something from the feed and from the log, and whether the feed is
/// silent. Does no I/O; all times are monotonic milliseconds.
struct FeedPulse {
    let timing: FeedFollower.Timing
    /// The time of the latest beacon or change.
    private var lastHeard: UInt64
    private var lastTried: UInt64 = 0
    private var lastPull: UInt64 = 0
    private var lastPage: UInt64 = 0
    /// Whether the latest page of the log reached the end of the log.
    private var isAtEnd = false
    /// Whether the feed is silent. While it is, the log is read instead.
    private(set) var isLost = false

    init(_ timing: FeedFollower.Timing, now: UInt64) { (self.timing, lastHeard) = (timing, now) }

    /// Whether every change in the log was read. Always false while the feed is not silent.
    var hasReadAll: Bool { isLost && isAtEnd }

    func silence(_ now: UInt64) -> UInt64 { now - min(now, lastHeard) }

    /// The possible age of the reported state.
    func age(_ now: UInt64) -> UInt64 { now - min(now, max(lastHeard, lastPage)) }

    /// Records a beacon or a change.
    mutating func heard(_ now: UInt64) { (lastHeard, isLost) = (now, false) }

    /// Returns whether the subscription must be renewed now because of silence; true at most once in `timing.patience`.
    mutating func triesAgain(_ now: UInt64) -> Bool {
        guard silence(now) > timing.patience, now - min(now, lastTried) > timing.patience else { return false }
        lastTried = now
        return true
    }

    mutating func lost() { isLost = true }

    /// Records that the log is pulled.
    ///
    /// - Returns: how many milliseconds the answer may wait for a newer change.
    mutating func pulls(_ now: UInt64) -> UInt32 {
        lastPull = now
        return isLost ? timing.wait : 0
    }

    /// Records a page of the log.
    ///
    /// - Returns: whether the service has delayed the answer to wait for a change.
    mutating func page(isLast: Bool, _ now: UInt64) -> Bool {
        (lastPage, isAtEnd) = (now, isLast)
        return now - min(now, lastPull) >= UInt64(timing.wait) / 2
    }
}
