// SPDX-License-Identifier: Apache-2.0

/// What may be done at once, and the time until there is one more. Pure; times are monotonic milliseconds.
public struct TokenBucket: Sendable {
    public var level: Double
    public private(set) var filled: UInt64

    public init(level: Double, filled: UInt64) { (self.level, self.filled) = (level, filled) }

    /// - Parameters:
    ///   - most: what may be done at once after a rest.
    ///   - every: milliseconds until there is one more.
    public mutating func fill(_ now: UInt64, most: Double, every: Double) {
        level = min(most, level + Double(now - min(now, filled)) / every)
        filled = now
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
