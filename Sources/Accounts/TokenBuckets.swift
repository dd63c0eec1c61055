// SPDX-License-Identifier: Apache-2.0

/// Token buckets of the same size, one for each key. When there are too many buckets, the older half is forgotten, that
/// is, those buckets are full again. Times are milliseconds on the monotonic clock.
public struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var level: Double
        let filled: UInt64
    }

    private static var mostKeys: Int { 10_000 }

    /// The number of tokens in a full bucket, and the milliseconds until one more token is added.
    private let (most, every): (Double, Double)
    private var buckets: [Key: Bucket] = [:]

    public init(most: Double, every: Double) { (self.most, self.every) = (most, every) }

    var count: Int { buckets.count }

    /// Returns the milliseconds until there is a token; nil if there is a token now.
    public func wait(_ key: Key, now: UInt64) -> UInt64? {
        let level = filled(key, now).level
        return level >= 1 ? nil : UInt64(((1 - level) * every).rounded(.up))
    }

    /// Takes a token, even if there is none. Several attempts may begin before the first of them takes its token, and
    /// then the level becomes negative.
    public mutating func take(_ key: Key, now: UInt64) {
        if buckets.count >= Self.mostKeys { buckets.keepNewest { $0.filled } }
        buckets[key] = filled(key, now)
        buckets[key]?.level -= 1
    }

    /// Takes a token if there is one, and returns whether there was one.
    public mutating func takes(_ key: Key, now: UInt64) -> Bool {
        guard wait(key, now: now) == nil else { return false }
        take(key, now: now)
        return true
    }

    mutating func giveBack(_ key: Key) { buckets[key]?.level += 1 }

    private func filled(_ key: Key, _ now: UInt64) -> Bucket {
        guard let bucket = buckets[key] else { return Bucket(level: most, filled: now) }
        let rest = Double(now - min(now, bucket.filled))
        return Bucket(level: min(most, bucket.level + rest / every), filled: now)
    }
}

extension Dictionary {
    /// Keeps the newer half of the entries, so that a flood of keys cannot fill the memory.
    public mutating func keepNewest(_ time: (Value) -> UInt64) {
        guard count > 1 else { return }
        let middle = values.map(time).sorted()[count / 2]
        self = filter { time($0.value) > middle }
    }
}
