// SPDX-License-Identifier: Apache-2.0

/// Limits how many failures enter the audit trail: ten a minute for one account, a hundred a minute for all together.
/// Further failures are only counted. Pure; times are monotonic milliseconds.
package struct NotedFailures {
    private static let most = 10
    private static let mostOfAll = 100

    private struct Count {
        var inMinute = 0
        var unnoted = 0
    }

    private var minute: UInt64 = 0
    private var inMinute = 0
    /// Bounded by the number of accounts.
    private var accounts: [UInt64: Count] = [:]

    package init() {}

    /// - Parameter account: 0 if there is no account, or it is unknown.
    /// - Returns: nil if this failure is not to be written; otherwise how many failures of the account were left out
    ///   since the last written one.
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
