// SPDX-License-Identifier: Apache-2.0

/// Whether services that take in what was written still get on with it.
struct FillProgress {
    private let patience: Duration
    private var reached: [UInt64] = []
    private var since: ContinuousClock.Instant

    init(patience: Duration, at now: ContinuousClock.Instant = .now) {
        (self.patience, since) = (patience, now)
    }

    /// - Parameter revisions: how far each has come.
    /// - Returns: false when none of them has moved for as long as the patience.
    mutating func goesOn(_ revisions: [UInt64], at now: ContinuousClock.Instant = .now) -> Bool {
        if revisions != reached { (reached, since) = (revisions, now) }
        return now - since < patience
    }
}
