// SPDX-License-Identifier: Apache-2.0

public import Histogram

/// Latencies in nanoseconds, to three significant digits, up to one hour; what is longer counts as one hour.
///
/// (HdrHistogram: buckets whose width grows with the value, so that p99.99 is as exact as the median.)
public struct Latencies: Sendable {
    public static let greatest: UInt64 = 3_600_000_000_000

    public private(set) var histogram = Histogram<UInt64>(highestTrackableValue: greatest)
    private var sum: Double = 0

    public init() {}

    public var count: UInt64 { histogram.totalCount }
    /// Nanoseconds; of the values as they were recorded, not of buckets.
    public var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// - Parameter count: how often.
    public mutating func record(_ nanoseconds: UInt64, count: UInt64 = 1) {
        let value = min(max(nanoseconds, 1), Self.greatest)
        histogram.record(value, count: count)
        sum += Double(value) * Double(count)
    }

    public mutating func add(_ other: Latencies) {
        histogram.add(other.histogram)
        sum += other.sum
    }

    /// Nanoseconds; 0 when nothing was recorded.
    ///
    /// - Parameter percentile: 0 to 100.
    public func at(_ percentile: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        return percentile >= 100 ? histogram.max : histogram.valueAtPercentile(percentile)
    }
}
