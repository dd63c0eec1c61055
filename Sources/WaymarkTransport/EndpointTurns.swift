// SPDX-License-Identifier: Apache-2.0

/// Which of a service's endpoints a channel uses, and when it goes to the next one. Pure; all times are monotonic
/// milliseconds.
///
/// - An endpoint serves when what listens there answers a greeting (`hello`) with a welcome. A storage that waits to
///   take over, one that has stopped, and one that is frozen do not.
/// - The endpoint in use is greeted again when nothing has been received for a while, and at once when it refuses a
///   request as not serving. If no answer comes, or another one, the next endpoint is tried, and after the last the first.
/// - After a round in which none served there is a short pause.
///
/// Requests wait for the welcome. So a storage that is slow is given nothing twice: it first has to answer.
///
/// A service with one endpoint needs none of this: libzmq connects again by itself.
struct EndpointTurns {
    enum Action { case open, greet, moveOn }

    /// For connecting and for the answer to the first greeting.
    static let attempt: UInt64 = 1_000
    /// Without anything received, until the endpoint in use is greeted again.
    static let quiet: UInt64 = 500
    /// For the answer to such a greeting.
    static let patience: UInt64 = 1_000
    /// After a round of all endpoints.
    static let pause: UInt64 = 100

    private let count: Int
    private(set) var current = 0
    private(set) var isServing = false
    /// Whether any endpoint has served yet.
    private(set) var hasServed = false
    /// How many endpoints in a row have not served.
    private var failures = 0
    /// Nil between two endpoints.
    private var begun: UInt64?
    private var restsUntil: UInt64 = 0
    private var lastHeard: UInt64 = 0
    /// When the oldest greeting without an answer was sent.
    private var greetedAt: UInt64?

    init(count: Int, now: UInt64) {
        self.count = max(1, count)
        begun = now
    }

    /// Whether every endpoint was tried since one served, or since the beginning.
    var isRoundOver: Bool { failures >= count && failures.isMultiple(of: count) }

    /// The connection to the current endpoint is begun.
    mutating func opened(_ now: UInt64) { begun = now }

    mutating func greeted(_ now: UInt64) { greetedAt = greetedAt ?? now }

    /// Anything was received from the current endpoint.
    mutating func heard(_ now: UInt64) { (lastHeard, greetedAt) = (now, nil) }

    /// The greeting was answered with a welcome.
    ///
    /// - Returns: whether the endpoint begins to serve with that.
    mutating func welcomed(_ now: UInt64) -> Bool {
        heard(now)
        defer { (isServing, hasServed, failures) = (true, true, 0) }
        return !isServing
    }

    /// The current endpoint does not serve: it is the turn of the next one.
    mutating func failed(_ now: UInt64) {
        failures += 1
        (isServing, greetedAt, begun) = (false, nil, nil)
        current = (current + 1) % count
        restsUntil = isRoundOver ? now + Self.pause : now
    }

    /// What is to be done now. Call it every ``RequestChannel/tick``.
    func look(_ now: UInt64) -> Action? {
        guard let begun else { return now >= restsUntil ? .open : nil }
        guard isServing else { return now - min(now, begun) >= Self.attempt ? .moveOn : nil }
        // The answer is awaited from the greeting on, not from when something was last heard: this process may have been
        // stopped itself.
        if let greetedAt { return now - min(now, greetedAt) >= Self.patience ? .moveOn : nil }
        return now - min(now, lastHeard) >= Self.quiet ? .greet : nil
    }
}
