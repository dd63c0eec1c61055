// SPDX-License-Identifier: Apache-2.0

/// The rule by which a request without an answer is sent again, and by which it ends. Pure; all times are monotonic
/// milliseconds.
///
/// A request is sent again when its latest copy has stayed without an answer for a pause. The pause doubles with each
/// copy, up to a limit: more copies do not help a service that is slow. A new connection sends every request again at
/// once, because copies sent on the old one may be lost; ``RequestSchedule`` does that.
struct ResendPolicy {
    /// The pause after the first copy.
    var pause: UInt64 = 1_000
    /// The most doublings of the pause.
    var doublings = 3

    /// The pause after this many copies.
    func pause(after copies: Int) -> UInt64 { pause << UInt64(min(doublings, max(0, copies - 1))) }

    /// Whether a request is to be sent again.
    ///
    /// - Parameters:
    ///   - copies: the number of copies sent.
    ///   - sentAt: the time of the latest copy.
    func isDue(copies: Int, sentAt: UInt64, at now: UInt64) -> Bool {
        now >= sentAt && now - sentAt >= pause(after: copies)
    }

    /// Whether the time for an answer is over.
    func isOver(deadline: UInt64, at now: UInt64) -> Bool { now >= deadline }

    /// The outcome of a request whose time is over. If no copy was sent, nothing was executed for certain.
    func ending(copies: Int) -> ChannelOutcome { copies == 0 ? .notConnected : .timedOut }
}
