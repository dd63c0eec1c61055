// SPDX-License-Identifier: Apache-2.0

/// The 16-byte key that identifies a point in an index: two words, compared as one big-endian unsigned number.
///
/// Points at equal distance are ordered by key, so the order of an answer is unique.
public struct PointKey: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64

    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Makes a key from its two halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Whether the sixteen bytes of the left key come before those of the right key.
    @inlinable
    public static func < (left: PointKey, right: PointKey) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
