// SPDX-License-Identifier: Apache-2.0

/// The name, the meaning and the labels of a metric.
public struct MetricDefinition: Hashable, Sendable {
    /// The types of the Prometheus text format.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// The name, by the conventions of Prometheus: base units, and `_total` at the end of a counter.
    public let name: String
    public let kind: Kind
    /// The meaning, in one sentence. The table in `Monitoring.docc` has the same words.
    public let help: String
    /// The names of the labels, in the order of their values.
    public let labels: [String]
    /// The upper bounds of a histogram's buckets, ascending, without the infinite one.
    public let bounds: [Double]
    /// The most series of a metric. Further label values are counted together as ``otherValue``. Without the limit, a
    /// client that chooses label values could fill the memory of the process and of Prometheus.
    public let seriesLimit: Int

    /// The label value of the series that counts everything over the limit.
    public static let otherValue = "other"
    public static let standardSeriesLimit = 512

    public init(
        _ kind: Kind, _ name: String, labels: [String] = [], bounds: [Double] = [],
        seriesLimit: Int = MetricDefinition.standardSeriesLimit, help: String
    ) {
        self.kind = kind
        self.name = name
        self.labels = labels
        self.bounds = bounds
        self.seriesLimit = seriesLimit
        self.help = help
    }

    public static func counter(_ name: String, labels: [String] = [], help: String) -> MetricDefinition {
        MetricDefinition(.counter, name, labels: labels, help: help)
    }

    public static func gauge(_ name: String, labels: [String] = [], help: String) -> MetricDefinition {
        MetricDefinition(.gauge, name, labels: labels, help: help)
    }

    public static func histogram(
        _ name: String, labels: [String] = [], bounds: [Double], help: String
    ) -> MetricDefinition {
        MetricDefinition(.histogram, name, labels: labels, bounds: bounds, help: help)
    }
}
