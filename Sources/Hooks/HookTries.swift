// SPDX-License-Identifier: Apache-2.0

/// The tries of one message, which decide when the next one is due, and when the message is put aside. Pure.
struct HookTries: Sendable {
    /// The Unix time in milliseconds of the first try that failed; 0 if none did.
    private(set) var since: UInt64
    private var failures = 0
    private let options: HookOptions

    /// - Parameter since: the time of the first try that failed, at another service before; 0 if there was none.
    init(since: UInt64, _ options: HookOptions) {
        (self.since, self.options) = (since, options)
    }

    /// Counts a try that failed.
    ///
    /// - Parameters:
    ///   - now: the Unix time in milliseconds.
    ///   - retryAfter: the pause that the receiver asks for; nil if it asks for none.
    ///   - random: a random number of at least 0 and below 1.
    /// - Returns: the pause before the next try, between half of the doubled pause and all of it, so that receivers
    ///   that failed together are not asked together. Nil to put the message aside.
    mutating func failed(at now: UInt64, asking retryAfter: Duration?, random: Double) -> Duration? {
        if since == 0 { since = now }
        let age = Duration.milliseconds(Int64(clamping: now > since ? now - since : 0))
        guard age < options.giveUp else { return nil }
        let doubled = min(options.retryMost, options.retryFirst * (1 << min(failures, 30)))
        failures += 1
        return max(doubled / 2 + doubled / 2 * random, min(retryAfter ?? .zero, options.retryMost))
    }
}
