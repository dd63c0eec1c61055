// SPDX-License-Identifier: Apache-2.0

public import Histogram

/// Latencies in nanoseconds with three significant digits, up to one hour. Longer latencies count as one hour.
///
/// (They are stored in an HdrHistogram, whose buckets grow with the value, so that p99.99 is as precise as the median.)
public struct Latencies: Sendable {
    public static let greatest: UInt64 = 3_600_000_000_000

    public private(set) var histogram = Histogram<UInt64>(highestTrackableValue: greatest)
    private var sum: Double = 0

    public init() {}

    public var count: UInt64 { histogram.totalCount }
    /// The mean in nanoseconds, computed from the recorded values instead of the buckets.
    public var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// - Parameter count: the number of times to record the value.
    public mutating func record(_ nanoseconds: UInt64, count: UInt64 = 1) {
        let value = min(max(nanoseconds, 1), Self.greatest)
        histogram.record(value, count: count)
        sum += Double(value) * Double(count)
    }

    public mutating func add(_ other: Latencies) {
        histogram.add(other.histogram)
        sum += other.sum
    }

    /// Returns the latency in nanoseconds at a percentile; 0 if nothing was recorded.
    ///
    /// - Parameter percentile: the percentile, from 0 to 100.
    public func at(_ percentile: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        return percentile >= 100 ? histogram.max : histogram.valueAtPercentile(percentile)
    }
}
