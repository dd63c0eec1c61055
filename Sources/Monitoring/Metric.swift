// SPDX-License-Identifier: Apache-2.0

/// One number of a service: its declaration, and how it is read. Prometheus and `status` both list it from here.
public struct Metric<Source>: Sendable {
    /// The declaration; nil if only `status` lists the number.
    public let definition: MetricDefinition?
    private let seriesOf: @Sendable (Source) -> [MetricSeries]
    private let statusOf: @Sendable (Source) -> [(name: String, value: UInt64)]

    private init(
        _ definition: MetricDefinition? = nil, series: @escaping @Sendable (Source) -> [MetricSeries] = { _ in [] },
        status: @escaping @Sendable (Source) -> [(name: String, value: UInt64)] = { _ in [] }
    ) {
        (self.definition, seriesOf, statusOf) = (definition, series, status)
    }

    /// A whole number without labels.
    private init(
        _ definition: MetricDefinition, _ value: @escaping @Sendable (Source) -> UInt64, status name: String?
    ) {
        self.init(
            definition, series: { [MetricSeries(.number(Double(value($0))))] },
            status: { source in name.map { [(name: $0, value: value(source))] } ?? [] })
    }

    /// - Parameter status: the metric's name in the answer to `status`; nil: it is not listed there.
    public static func counter(
        _ name: String, _ value: @escaping @Sendable (Source) -> UInt64, status: String? = nil, help: String
    ) -> Metric {
        Metric(.counter(name, help: help), value, status: status)
    }

    /// - Parameter status: the metric's name in the answer to `status`; nil: it is not listed there.
    public static func gauge(
        _ name: String, _ value: @escaping @Sendable (Source) -> UInt64, status: String? = nil, help: String
    ) -> Metric {
        Metric(.gauge(name, help: help), value, status: status)
    }

    /// A gauge with a fraction, or one that may have no value.
    public static func measure(
        _ name: String, _ value: @escaping @Sendable (Source) -> Double?, help: String
    ) -> Metric {
        series(.gauge(name, help: help)) { source in value(source).map { [MetricSeries(.number($0))] } ?? [] }
    }

    /// A metric with labels, or a histogram. The values of its labels must be few, whatever clients send.
    public static func series(
        _ definition: MetricDefinition, _ series: @escaping @Sendable (Source) -> [MetricSeries]
    ) -> Metric {
        Metric(definition, series: series)
    }

    /// A number that only `status` lists.
    public static func status(_ name: String, _ value: @escaping @Sendable (Source) -> UInt64) -> Metric {
        Metric(status: { [(name: name, value: value($0))] })
    }

    /// Numbers that only `status` lists, under names that are known only when it is answered.
    public static func statuses(_ values: @escaping @Sendable (Source) -> [(name: String, value: UInt64)]) -> Metric {
        Metric(status: values)
    }

    /// The metric as one of a larger source. If that lacks the part, the number is 0, and `status` does not list it.
    public func of<Whole>(_ part: @escaping @Sendable (Whole) -> Source?) -> Metric<Whole> {
        Metric<Whole>(
            definition, series: { [seriesOf] whole in part(whole).map { seriesOf($0) } ?? [MetricSeries(.number(0))] },
            status: { [statusOf] whole in part(whole).map { statusOf($0) } ?? [] })
    }

    fileprivate func family(of source: Source) -> MetricFamily? {
        definition.map { MetricFamily($0, seriesOf(source)) }
    }

    fileprivate func numbers(of source: Source) -> [(name: String, value: UInt64)] { statusOf(source) }
}

extension Sequence {
    /// The metrics for Prometheus.
    public func families<Source>(of source: Source) -> [MetricFamily] where Element == Metric<Source> {
        compactMap { $0.family(of: source) }
    }

    /// The numbers for `status`, in its order.
    public func numbers<Source>(of source: Source) -> [(name: String, value: UInt64)] where Element == Metric<Source> {
        flatMap { $0.numbers(of: source) }
    }
}
