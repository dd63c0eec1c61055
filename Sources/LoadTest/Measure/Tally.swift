// SPDX-License-Identifier: Apache-2.0

public import Histogram

/// The counts of a generator during a run, without the warm-up.
public struct Tally: Sendable {
    /// The figures of one second of the run.
    public struct Second: Codable, Hashable, Sendable {
        public var done: UInt64 = 0
        public var failed: UInt64 = 0
        /// The number of failures for each error code; nil if there were none.
        public var errors: [String: UInt64]?
        /// The median latency in microseconds.
        public var p50: Double = 0
        public var p99: Double = 0

        public init() {}

        /// Adds the figures of another generator. The worse percentiles are kept.
        public mutating func add(_ other: Second) {
            done &+= other.done
            failed &+= other.failed
            if let more = other.errors { errors = (errors ?? [:]).merging(more, uniquingKeysWith: &+) }
            p50 = max(p50, other.p50)
            p99 = max(p99, other.p99)
        }

        /// The same figures, none of them greater than can be true. For figures that come from another program.
        public var bounded: Second {
            var second = self
            second.done = min(done, Tally.greatest)
            second.failed = min(failed, Tally.greatest)
            second.errors = errors.map(Tally.bounded)
            second.p50 = min(max(0, p50), Double(Latencies.greatest) / 1_000)
            second.p99 = min(max(0, p99), Double(Latencies.greatest) / 1_000)
            return second
        }
    }

    /// The greatest count that is taken from another program, so that sums of counts do not overflow.
    static let greatest: UInt64 = 1 << 40

    /// The latencies of past seconds. Recording is most of the work of counting, so one histogram has each latency.
    private var past = Latencies()
    public private(set) var seconds: [Second] = []
    public var sent: UInt64 = 0
    public var done: UInt64 { past.count + currentLatencies.count }
    public private(set) var bytes: UInt64 = 0
    public var late: UInt64 = 0
    public var skipped: UInt64 = 0
    public private(set) var errors: [String: UInt64] = [:]
    private var current = Second()
    private var currentLatencies = Latencies()
    /// The time at which the present second ends.
    private var boundary: UInt64
    private let tell: (@Sendable (Int, Second) -> Void)?
    private var window: AbortWindow?

    /// - Parameters:
    ///   - start: the time on ``NanoClock`` at which counting begins.
    ///   - watch: told each second; its rule may end the run. Nil for a part of the load.
    public init(from start: UInt64, watch: LoadWatch? = nil) {
        boundary = start > .max - 1_000_000_000 ? .max : start + 1_000_000_000
        tell = watch?.tell
        if let watch { window = watch.abort.map { AbortWindow($0, watch.stop) } }
    }

    public var latencies: Latencies {
        var latencies = past
        latencies.add(currentLatencies)
        return latencies
    }

    /// Stops judging, because the load has ended.
    mutating func closeWindow() { window = nil }

    public mutating func record(_ nanoseconds: UInt64, bytes count: Int, at now: UInt64) {
        if now >= boundary { turn(to: now) }
        currentLatencies.record(nanoseconds)
        bytes += UInt64(count)
    }

    public mutating func failed(_ code: String, at now: UInt64) {
        turn(to: now)
        errors[code, default: 0] += 1
        current.failed += 1
        current.errors = current.errors ?? [:]
        current.errors?[code, default: 0] += 1
    }

    /// Completes all seconds that have ended by `now`.
    public mutating func turn(to now: UInt64) {
        while now >= boundary {
            current.done = currentLatencies.count
            current.p50 = Double(currentLatencies.at(50)) / 1_000
            current.p99 = Double(currentLatencies.at(99)) / 1_000
            seconds.append(current)
            tell?(seconds.count, current)
            window?.add(currentLatencies, failed: current.failed, second: seconds.count)
            if current.done > 0 {
                past.add(currentLatencies)
                currentLatencies = Latencies()
            }
            current = Second()
            boundary += 1_000_000_000
        }
    }

    /// Adds the counts of another generator that ran at the same time. For each second the worse percentiles are kept.
    public mutating func add(_ other: Tally) {
        past.add(other.latencies)
        sent += other.sent
        bytes += other.bytes
        late += other.late
        skipped += other.skipped
        errors.merge(other.errors, uniquingKeysWith: +)
        let both = min(seconds.count, other.seconds.count)
        for place in 0..<both { seconds[place].add(other.seconds[place]) }
        seconds += other.seconds.dropFirst(both)
    }
}

extension Tally {
    /// Makes the counts of a run that another program has reported. Counts that cannot be true are cut.
    init(of run: LoadReport.Run) {
        func bounded(_ count: UInt64) -> UInt64 { min(count, Self.greatest) }
        self.init(from: .max)
        for pair in run.histogram.prefix(100_000) where pair.count == 2 && pair[1] > 0 {
            past.record(pair[0], count: bounded(pair[1]))
        }
        let figures = run.figures
        (sent, bytes) = (bounded(figures.sent), min(figures.bytes, 1 << 59))
        (late, skipped) = (bounded(figures.late), bounded(figures.skipped))
        errors = Self.bounded(figures.errors)
        seconds = run.perSecond.prefix(100_000).map(\.bounded)
    }

    /// Returns counts of errors, none of them greater than can be true, whose codes can be printed.
    private static func bounded(_ errors: [String: UInt64]) -> [String: UInt64] {
        errors.prefix(100).reduce(into: [:]) { bounded, error in
            let isCode = error.key.utf8.count <= 80 && error.key.utf8.allSatisfy { (0x21...0x7e).contains($0) }
            bounded[isCode ? error.key : "other", default: 0] += min(error.value, greatest)
        }
    }
}

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
