// SPDX-License-Identifier: Apache-2.0

/// Token buckets, one for each key, all of the same size. Bounded: when there are too many, the older half is
/// forgotten, which makes those buckets full again. Pure; times are monotonic milliseconds.
public struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var level: Double
        let filled: UInt64
    }

    private static var mostKeys: Int { 10_000 }

    /// Tokens in a full bucket, and the milliseconds until one more is added.
    private let (most, every): (Double, Double)
    private var buckets: [Key: Bucket] = [:]

    public init(most: Double, every: Double) { (self.most, self.every) = (most, every) }

    var count: Int { buckets.count }

    /// The milliseconds until there is a token; nil if there is one now.
    public func wait(_ key: Key, now: UInt64) -> UInt64? {
        let level = filled(key, now).level
        return level >= 1 ? nil : UInt64(((1 - level) * every).rounded(.up))
    }

    /// Takes a token, even if there is none: several attempts may have begun before the first takes its token, and the
    /// level then becomes negative.
    public mutating func take(_ key: Key, now: UInt64) {
        if buckets.count >= Self.mostKeys { buckets.keepNewest { $0.filled } }
        buckets[key] = filled(key, now)
        buckets[key]?.level -= 1
    }

    /// Takes a token if there is one.
    ///
    /// - Returns: whether there was one.
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
    /// Keeps the newer half, so that a flood of keys cannot fill memory.
    public mutating func keepNewest(_ time: (Value) -> UInt64) {
        guard count > 1 else { return }
        let middle = values.map(time).sorted()[count / 2]
        self = filter { time($0.value) > middle }
    }
}
