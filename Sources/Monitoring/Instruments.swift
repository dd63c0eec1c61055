// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import NIOConcurrencyHelpers

/// Holds the value of one series.
protocol Instrument: AnyObject, Sendable {
    var value: MetricSeries.Value { get }
}

/// A total. It only rises.
final class TotalInstrument: Instrument, CounterHandler, FloatingPointCounterHandler {
    private let total = NIOLockedValueBox(0.0)

    var value: MetricSeries.Value { .number(total.withLockedValue { $0 }) }

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    /// Ignores negative values and NaN: they would make the counter fall, which readers take for a restart.
    func increment(by amount: Double) {
        guard amount >= 0, amount.isFinite else { return }
        total.withLockedValue { $0 += amount }
    }

    func reset() { total.withLockedValue { $0 = 0 } }
}

/// The current value.
final class GaugeInstrument: Instrument, RecorderHandler, MeterHandler {
    private let last = NIOLockedValueBox(0.0)

    var value: MetricSeries.Value { .number(last.withLockedValue { $0 }) }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { last.withLockedValue { $0 = value } }
    func set(_ value: Int64) { record(Double(value)) }
    func set(_ value: Double) { record(value) }
    func increment(by amount: Double) { last.withLockedValue { $0 += amount } }
    func decrement(by amount: Double) { last.withLockedValue { $0 -= amount } }
}

/// Counts values between fixed bounds.
public final class HistogramInstrument: Instrument, RecorderHandler, TimerHandler {
    private struct State {
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: NIOLockedValueBox<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = NIOLockedValueBox(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var value: MetricSeries.Value {
        state.withLockedValue { .histogram(counts: $0.counts, sum: $0.sum) }
    }

    public func record(_ value: Int64) { record(Double(value)) }

    public func record(_ value: Double) {
        guard !value.isNaN else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLockedValue {
            $0.counts[place] += 1
            $0.sum += value
        }
    }

    public func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    /// Adds values that were counted elsewhere between the same bounds.
    ///
    /// swift-metrics records one value at a time. A loop that answers a hundred thousand requests a second counts in an
    /// array of its own instead, and adds the difference here at each scrape.
    ///
    /// - Parameter counts: one for each bound, and one for larger values. An array of another length is ignored.
    public func add(counts: [UInt64], sum: Double) {
        state.withLockedValue { state in
            guard counts.count == state.counts.count else { return }
            for place in counts.indices { state.counts[place] += counts[place] }
            state.sum += sum
        }
    }
}
