// SPDX-License-Identifier: Apache-2.0

/// When a follower last heard of changes, on the feed and from the log, and from when on nothing is received. Pure; all
/// times are monotonic milliseconds.
struct FeedPulse {
    let timing: FeedFollower.Timing
    /// The latest beacon or change.
    private var lastHeard: UInt64
    private var lastTried: UInt64 = 0
    private var lastPull: UInt64 = 0
    private var lastPage: UInt64 = 0
    /// Whether the latest page went to the end of the log.
    private var isAtEnd = false
    /// Whether nothing is received, so that the log is read instead.
    private(set) var isLost = false

    init(_ timing: FeedFollower.Timing, now: UInt64) { (self.timing, lastHeard) = (timing, now) }

    /// While nothing is received the log tells whether there is anything that has not been reported.
    var hasReadAll: Bool { isLost && isAtEnd }

    func silence(_ now: UInt64) -> UInt64 { now - min(now, lastHeard) }

    /// How old what was reported may be.
    func age(_ now: UInt64) -> UInt64 { now - min(now, max(lastHeard, lastPage)) }

    /// A beacon or a change arrived.
    mutating func heard(_ now: UInt64) { (lastHeard, isLost) = (now, false) }

    /// Whether the silence is so long that the subscription is made anew now. It is, once within that time.
    mutating func triesAgain(_ now: UInt64) -> Bool {
        guard silence(now) > timing.patience, now - min(now, lastTried) > timing.patience else { return false }
        lastTried = now
        return true
    }

    mutating func lost() { isLost = true }

    /// The log is asked.
    ///
    /// - Returns: how long the answer may wait for something newer.
    mutating func pulls(_ now: UInt64) -> UInt32 {
        lastPull = now
        return isLost ? timing.wait : 0
    }

    /// A page of the log arrived.
    ///
    /// - Returns: whether the service has let the request wait.
    mutating func page(isLast: Bool, _ now: UInt64) -> Bool {
        (lastPage, isAtEnd) = (now, isLast)
        return now - min(now, lastPull) >= UInt64(timing.wait) / 2
    }
}
