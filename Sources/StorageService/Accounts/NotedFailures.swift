// SPDX-License-Identifier: Apache-2.0

/// Which failures are written into the audit trail: ten in a minute. The others are counted. Pure; times are monotonic
/// milliseconds.
struct NotedFailures {
    private static let most = 10

    private var minute: UInt64 = 0
    private var inMinute = 0
    private var unnoted = 0

    /// - Returns: how many were not written down since the last one that was; nil if this one is not either.
    mutating func next(now: UInt64) -> Int? {
        if now - min(now, minute) >= 60_000 { (minute, inMinute) = (now, 0) }
        guard inMinute < Self.most else {
            unnoted += 1
            return nil
        }
        inMinute += 1
        defer { unnoted = 0 }
        return unnoted
    }
}
