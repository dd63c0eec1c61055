// SPDX-License-Identifier: Apache-2.0

/// The rule by which a request without an answer is sent again, and ends. Does no I/O; times are monotonic
/// milliseconds.
///
/// A request is sent again after its latest copy has stayed without an answer for a certain pause. The pause doubles
/// with each copy, up to a limit, because more copies do not help a slow service. At a new connection every request is
/// sent again at once, because copies sent on the old connection may be lost; ``RequestSchedule`` does that.
struct ResendPolicy {
    /// The pause after the first copy.
    var pause: UInt64 = 1_000
    /// The maximum number of times that the pause is doubled.
    var doublings = 3

    /// Returns the pause after so many copies.
    func pause(after copies: Int) -> UInt64 { pause << UInt64(min(doublings, max(0, copies - 1))) }

    /// Returns whether a request is to be sent again.
    ///
    /// - Parameters:
    ///   - copies: the number of copies sent.
    ///   - sentAt: the time of the latest copy.
    func isDue(copies: Int, sentAt: UInt64, at now: UInt64) -> Bool {
        now >= sentAt && now - sentAt >= pause(after: copies)
    }

    /// Returns whether the time for an answer is over.
    func isOver(deadline: UInt64, at now: UInt64) -> Bool { now >= deadline }

    /// Returns the outcome of a request whose time is over. If no copy was sent, it was not executed.
    func ending(copies: Int) -> ChannelOutcome { copies == 0 ? .notConnected : .timedOut }
}
