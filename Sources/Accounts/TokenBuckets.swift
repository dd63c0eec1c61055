// SPDX-License-Identifier: Apache-2.0

/// One bucket for each key, all of the same size. Bounded: of too many the older half is forgotten, and is full again.
public struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private static var mostKeys: Int { 10_000 }

    /// What may be done at once after a rest, and the milliseconds until there is one more.
    private let (most, every): (Double, Double)
    private var buckets: [Key: TokenBucket] = [:]

    public init(most: Double, every: Double) { (self.most, self.every) = (most, every) }

    var count: Int { buckets.count }

    /// How many milliseconds to wait; nil: one may be taken now.
    func wait(_ key: Key, now: UInt64) -> UInt64? {
        let level = filled(key, now).level
        return level >= 1 ? nil : UInt64((1 - level) * every) + 1
    }

    /// Takes one. Nobody asks here whether there is one: what has begun meanwhile is owed.
    mutating func take(_ key: Key, now: UInt64) {
        if buckets.count >= Self.mostKeys { buckets.keepNewest { $0.filled } }
        buckets[key] = filled(key, now)
        buckets[key]?.level -= 1
    }

    /// Takes one if there is one.
    ///
    /// - Parameter now: monotonic milliseconds.
    /// - Returns: whether there was.
    public mutating func takes(_ key: Key, now: UInt64) -> Bool {
        guard wait(key, now: now) == nil else { return false }
        take(key, now: now)
        return true
    }

    mutating func giveBack(_ key: Key) { buckets[key]?.level += 1 }

    private func filled(_ key: Key, _ now: UInt64) -> TokenBucket {
        var bucket = buckets[key] ?? TokenBucket(level: most, filled: now)
        bucket.fill(now, most: most, every: every)
        return bucket
    }
}
