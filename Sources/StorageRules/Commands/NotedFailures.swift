// SPDX-License-Identifier: Apache-2.0

/// Limits how many failures are written into the audit trail: ten a minute for one account, a hundred a minute for all
/// accounts together. Further failures are only counted. Times are milliseconds on the monotonic clock.
package struct NotedFailures {
    private static let most = 10
    private static let mostOfAll = 100

    private struct Count {
        var inMinute = 0
        var unnoted = 0
    }

    private var minute: UInt64 = 0
    private var inMinute = 0
    /// How many failures of each account were written, and how many were left out. Each account has at most one entry.
    private var accounts: [UInt64: Count] = [:]

    package init() {}

    /// - Parameter account: the number of the account; 0 if there is none or it is unknown.
    /// - Returns: nil if this failure must not be written; otherwise how many failures of the account have been left
    ///   out since the last written one.
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
