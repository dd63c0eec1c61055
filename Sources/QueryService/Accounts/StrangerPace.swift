// SPDX-License-Identifier: Apache-2.0

import Accounts

/// How many requests of strangers are answered, by address, or by the key of before: some at once, then so many a second.
///
/// What comes beyond that is dropped before its body is read, and has no answer, which would have to be encrypted. A client
/// asks again by itself. Pure; times are monotonic milliseconds.
struct StrangerPace {
    /// Requests a second. Signing in is rare, and a class behind one address comes at once.
    static let ordinary = 10
    private static let atOnce = 64.0
    /// When there are more addresses, the older half is forgotten.
    private static let most = 10_000

    private var addresses: [String: TokenBucket] = [:]

    mutating func takes(_ address: String, rate: Int, now: UInt64) -> Bool {
        if addresses.count >= Self.most { addresses.keepNewest { $0.filled } }
        var bucket = addresses[address] ?? TokenBucket(level: Self.atOnce, filled: now)
        bucket.fill(now, most: Self.atOnce, every: 1_000 / Double(max(1, rate)))
        let isTaken = bucket.level >= 1
        if isTaken { bucket.level -= 1 }
        addresses[address] = bucket
        return isTaken
    }

    /// How much is remembered.
    var entries: Int { addresses.count }
}
