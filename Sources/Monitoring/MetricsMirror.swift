// SPDX-License-Identifier: Apache-2.0

import CoreMetrics

/// Copies a service's own counters into the metrics of a registry.
///
/// A loop counts in plain integers, which cost almost nothing. At each scrape the mirror adds their growth to the
/// metrics. Not Sendable: one actor owns it.
public struct MetricsMirror {
    private struct Key: Hashable {
        var name: String
        var values: [String]
    }

    private struct Total {
        var counter: Counter
        var last: UInt64 = 0
    }

    private struct Histogram {
        var instrument: HistogramInstrument
        var counts: [UInt64]
        var sum: Double = 0
    }

    private let registry: MetricsRegistry
    private var totals: [Key: Total] = [:]
    private var gauges: [Key: Gauge] = [:]
    private var histograms: [Key: Histogram] = [:]

    public init(_ registry: MetricsRegistry) {
        self.registry = registry
    }

    /// Sets a counter to `total`. If the total is smaller than before, the counter was reset.
    public mutating func count(_ definition: MetricDefinition, _ values: String..., total: UInt64) {
        registry.describe([definition])
        let key = key(definition, values)
        var known =
            totals[key]
            ?? Total(
                counter: Counter(label: definition.name, dimensions: dimensions(definition, values), factory: registry))
        known.counter.increment(by: total >= known.last ? total - known.last : total)
        known.last = total
        totals[key] = known
    }

    public mutating func set(_ definition: MetricDefinition, _ values: String..., to value: Double) {
        gauge(definition, values).record(value)
    }

    /// Sets a gauge to these series and removes all others, because what they measured no longer exists.
    public mutating func replace(_ definition: MetricDefinition, with series: [[String]: Double]) {
        for (key, gauge) in gauges where key.name == definition.name && series[key.values] == nil {
            gauge.destroy()
            gauges[key] = nil
        }
        for (values, value) in series { gauge(definition, values).record(value) }
    }

    /// Sets a histogram's buckets to `counts`.
    ///
    /// - Parameter sum: the sum of all values, in the unit of the bounds.
    public mutating func distribute(
        _ definition: MetricDefinition, _ values: String..., counts: [UInt64], sum: Double
    ) {
        let key = key(definition, values)
        var known =
            histograms[key]
            ?? Histogram(
                instrument: registry.histogram(definition, dimensions(definition, values)),
                counts: Array(repeating: 0, count: counts.count))
        if counts.count == known.counts.count, zip(counts, known.counts).allSatisfy({ $0 >= $1 }) {
            known.instrument.add(counts: zip(counts, known.counts).map { $0 - $1 }, sum: sum - known.sum)
            (known.counts, known.sum) = (counts, sum)
        }
        histograms[key] = known
    }

    private mutating func gauge(_ definition: MetricDefinition, _ values: [String]) -> Gauge {
        let key = key(definition, values)
        if let known = gauges[key] { return known }
        registry.describe([definition])
        let made = Gauge(label: definition.name, dimensions: dimensions(definition, values), factory: registry)
        gauges[key] = made
        return made
    }

    private func key(_ definition: MetricDefinition, _ values: [String]) -> Key {
        Key(name: definition.name, values: values)
    }

    private func dimensions(_ definition: MetricDefinition, _ values: [String]) -> [(String, String)] {
        Array(zip(definition.labels, values))
    }
}
