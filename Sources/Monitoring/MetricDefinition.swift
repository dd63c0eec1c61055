// SPDX-License-Identifier: Apache-2.0

/// What a metric is called, what it means, and how its series are told apart.
public struct MetricDefinition: Hashable, Sendable {
    /// The types of the Prometheus text format.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// By the conventions of Prometheus: base units, and `_total` at the end of a counter.
    public let name: String
    public let kind: Kind
    /// One sentence.
    public let help: String
    /// The names of the labels, in the order of their values.
    public let labels: [String]
    /// Of a histogram: the upper bounds of its buckets, ascending, without the infinite one.
    public let bounds: [Double]
    /// At most so many series; what comes under more labels is counted together, under ``otherValue``. Whoever can
    /// choose a label's value could otherwise make the process, and the database that scrapes it, as large as they like.
    public let seriesLimit: Int

    /// The value of every label of the series that takes up what is over the limit.
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
