// SPDX-License-Identifier: Apache-2.0

/// Which failures are written into the audit trail: ten in a minute of one account, and a hundred of all. The others are
/// counted. Pure; times are monotonic milliseconds.
package struct NotedFailures {
    private static let most = 10
    private static let mostOfAll = 100

    private struct Count {
        var inMinute = 0
        var unnoted = 0
    }

    private var minute: UInt64 = 0
    private var inMinute = 0
    /// There are no more of them than accounts.
    private var accounts: [UInt64: Count] = [:]

    package init() {}

    /// - Parameter account: 0: of none, or unknown.
    /// - Returns: how many of it were not written down since the last one that was; nil if this one is not either.
    package mutating func next(of account: UInt64 = 0, now: UInt64) -> Int? {
        if now - min(now, minute) >= 60_000 {
            (minute, inMinute) = (now, 0)
            accounts = accounts.compactMapValues { $0.unnoted > 0 ? Count(unnoted: $0.unnoted) : nil }
        }
        var count = accounts[account] ?? Count()
        defer { accounts[account] = count }
        guard count.inMinute < Self.most, inMinute < Self.mostOfAll else {
            count.unnoted += 1
            return nil
        }
        count.inMinute += 1
        inMinute += 1
        defer { count.unnoted = 0 }
        return count.unnoted
    }
}
