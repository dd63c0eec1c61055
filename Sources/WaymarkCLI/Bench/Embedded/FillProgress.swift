// SPDX-License-Identifier: Apache-2.0

/// Watches whether services that load landmarks still make progress.
struct FillProgress {
    private let patience: Duration
    private var reached: [UInt64] = []
    private var since: ContinuousClock.Instant

    init(patience: Duration, at now: ContinuousClock.Instant = .now) {
        (self.patience, since) = (patience, now)
    }

    /// - Parameter revisions: the revision that each service has reached.
    /// - Returns: false if no revision has changed for longer than the patience.
    mutating func goesOn(_ revisions: [UInt64], at now: ContinuousClock.Instant = .now) -> Bool {
        if revisions != reached { (reached, since) = (revisions, now) }
        return now - since < patience
    }
}
