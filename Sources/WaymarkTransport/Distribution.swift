// SPDX-License-Identifier: Apache-2.0

/// A histogram with fixed buckets. Adding a value costs a few comparisons and two additions.
public struct Distribution: Sendable {
    /// The upper bound of each bucket except the last, in ascending order. Bounds are inclusive.
    public let bounds: [UInt64]
    /// The number of values in each bucket. The last bucket, which has no bound, counts all larger values.
    public private(set) var counts: [UInt64]
    /// The sum of all values.
    public private(set) var sum: UInt64 = 0

    public init(bounds: [UInt64]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Buckets for times in nanoseconds, from 50 µs to 10 s.
    public static let times = Distribution(bounds: [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ])
    /// Buckets for sizes, in powers of four up to 65,536.
    public static let sizes = Distribution(bounds: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536])

    public mutating func add(_ value: UInt64) {
        // Nearly all values are small, so a linear search takes fewer steps than a binary search.
        var place = 0
        while place < bounds.count, value > bounds[place] { place += 1 }
        counts[place] &+= 1
        sum &+= value
    }

    /// Adds the counts of another histogram.
    ///
    /// - Precondition: both histograms have the same bounds.
    public static func += (left: inout Distribution, right: Distribution) {
        precondition(left.bounds == right.bounds, "distributions of different bounds")
        for place in left.counts.indices { left.counts[place] &+= right.counts[place] }
        left.sum &+= right.sum
    }
}
