// SPDX-License-Identifier: Apache-2.0

/// A number that a service reports: its definition, and how it is read. Prometheus and `status` both list it.
public struct Metric<Source>: Sendable {
    /// The definition; nil if only `status` lists the number.
    public let definition: MetricDefinition?
    fileprivate let seriesOf: @Sendable (Source) -> [MetricSeries]
    fileprivate let statusOf: @Sendable (Source) -> [(name: String, value: UInt64)]

    private init(
        _ definition: MetricDefinition? = nil, series: @escaping @Sendable (Source) -> [MetricSeries] = { _ in [] },
        status: @escaping @Sendable (Source) -> [(name: String, value: UInt64)] = { _ in [] }
    ) {
        (self.definition, seriesOf, statusOf) = (definition, series, status)
    }

    /// Makes a whole number without labels.
    private init(
        _ definition: MetricDefinition, _ value: @escaping @Sendable (Source) -> UInt64, status name: String?
    ) {
        self.init(
            definition, series: { [MetricSeries(.number(Double(value($0))))] },
            status: { source in name.map { [(name: $0, value: value(source))] } ?? [] })
    }

    /// Makes a counter.
    ///
    /// - Parameter status: the number's name in the answer to `status`; nil if it is not listed there.
    public static func counter(
        _ name: String, _ value: @escaping @Sendable (Source) -> UInt64, status: String? = nil, help: String
    ) -> Metric {
        Metric(.counter(name, help: help), value, status: status)
    }

    /// Makes a gauge.
    ///
    /// - Parameter status: the number's name in the answer to `status`; nil if it is not listed there.
    public static func gauge(
        _ name: String, _ value: @escaping @Sendable (Source) -> UInt64, status: String? = nil, help: String
    ) -> Metric {
        Metric(.gauge(name, help: help), value, status: status)
    }

    /// Makes a gauge that may have a fraction, and that may have no value.
    public static func measure(
        _ name: String, _ value: @escaping @Sendable (Source) -> Double?, help: String
    ) -> Metric {
        series(.gauge(name, help: help)) { source in value(source).map { [MetricSeries(.number($0))] } ?? [] }
    }

    /// Makes a metric with labels, or a histogram. Each label must have few values, whatever clients send.
    public static func series(
        _ definition: MetricDefinition, _ series: @escaping @Sendable (Source) -> [MetricSeries]
    ) -> Metric {
        Metric(definition, series: series)
    }

    /// Makes a number that only `status` lists.
    public static func status(_ name: String, _ value: @escaping @Sendable (Source) -> UInt64) -> Metric {
        Metric(status: { [(name: name, value: value($0))] })
    }

    /// Makes several numbers that only `status` lists, under names that are known only when `status` is answered.
    public static func statuses(_ values: @escaping @Sendable (Source) -> [(name: String, value: UInt64)]) -> Metric {
        Metric(status: values)
    }

    /// Returns this metric for a larger source, of which the present source is a part. If there is no such part, the
    /// number is 0, and `status` does not list it.
    public func of<Whole>(_ part: @escaping @Sendable (Whole) -> Source?) -> Metric<Whole> {
        Metric<Whole>(
            definition, series: { [seriesOf] whole in part(whole).map { seriesOf($0) } ?? [MetricSeries(.number(0))] },
            status: { [statusOf] whole in part(whole).map { statusOf($0) } ?? [] })
    }
}

extension Sequence {
    /// Returns the metrics for Prometheus, with their values.
    public func families<Source>(of source: Source) -> [MetricFamily] where Element == Metric<Source> {
        compactMap { metric in metric.definition.map { MetricFamily($0, metric.seriesOf(source)) } }
    }

    /// Returns the numbers for `status`, in the order of the metrics.
    public func numbers<Source>(of source: Source) -> [(name: String, value: UInt64)] where Element == Metric<Source> {
        flatMap { $0.statusOf(source) }
    }
}
