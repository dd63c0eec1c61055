// SPDX-License-Identifier: Apache-2.0

/// The rule by which a channel tries the endpoints of a service in turn. Does no I/O; times are monotonic milliseconds.
///
/// - An endpoint serves if the service there answers a greeting (`hello`) with a welcome. A storage service that waits
///   to take over, has stopped or is frozen does not answer so.
/// - The endpoint in use is greeted again after a time without any message from it, and at once when it refuses a
///   request because it does not serve. If no welcome comes, the next endpoint is tried; the first follows the last.
/// - A round in which no endpoint served is followed by a short pause.
///
/// Requests are sent only after the welcome. So a slow storage service does not get a request twice: it first has to
/// answer the greeting.
///
/// A service with one endpoint needs no such rule, because libzmq reconnects by itself.
struct EndpointFailover {
    enum Action { case open, greet, moveOn }

    /// The time limit for connecting and receiving the answer to the first greeting.
    static let attempt: UInt64 = 1_000
    /// The time without any message after which the endpoint in use is greeted again.
    static let quiet: UInt64 = 500
    /// The time limit for the answer to a repeated greeting.
    static let patience: UInt64 = 1_000
    /// The pause after a round in which every endpoint was tried.
    static let pause: UInt64 = 100

    private let count: Int
    private(set) var current = 0
    private(set) var isServing = false
    /// Whether any endpoint has served yet.
    private(set) var hasServed = false
    /// The number of successive endpoints that did not serve.
    private var failures = 0
    /// The time at which connecting to the current endpoint began. Nil between two endpoints.
    private var begun: UInt64?
    private var restsUntil: UInt64 = 0
    private var lastHeard: UInt64 = 0
    /// The time of the oldest greeting that has no answer yet.
    private var greetedAt: UInt64?

    init(count: Int, now: UInt64) {
        self.count = max(1, count)
        begun = now
    }

    /// Whether every endpoint was tried since an endpoint last served, or since the beginning.
    var isRoundOver: Bool { failures >= count && failures.isMultiple(of: count) }

    /// Records that the channel has begun to connect to the current endpoint.
    mutating func opened(_ now: UInt64) { begun = now }

    mutating func greeted(_ now: UInt64) { greetedAt = greetedAt ?? now }

    /// Records that something was received from the current endpoint.
    mutating func heard(_ now: UInt64) { (lastHeard, greetedAt) = (now, nil) }

    /// Records that the greeting was answered with a welcome.
    ///
    /// - Returns: whether the endpoint begins to serve now.
    mutating func welcomed(_ now: UInt64) -> Bool {
        heard(now)
        defer { (isServing, hasServed, failures) = (true, true, 0) }
        return !isServing
    }

    /// Moves to the next endpoint because the current one does not serve.
    mutating func failed(_ now: UInt64) {
        failures += 1
        (isServing, greetedAt, begun) = (false, nil, nil)
        current = (current + 1) % count
        restsUntil = isRoundOver ? now + Self.pause : now
    }

    /// Returns the next action, or nil if none is due. Call this at every ``RequestChannel/tick``.
    func look(_ now: UInt64) -> Action? {
        guard let begun else { return now >= restsUntil ? .open : nil }
        guard isServing else { return now - min(now, begun) >= Self.attempt ? .moveOn : nil }
        // The time limit runs from the greeting and not from the last message, because this process itself may have
        // been stopped.
        if let greetedAt { return now - min(now, greetedAt) >= Self.patience ? .moveOn : nil }
        return now - min(now, lastHeard) >= Self.quiet ? .greet : nil
    }
}
