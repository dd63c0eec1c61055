// SPDX-License-Identifier: Apache-2.0

/// The name, the meaning and the labels of a metric.
public struct MetricDefinition: Hashable, Sendable {
    /// The types of the Prometheus text format.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// The name, following the conventions of Prometheus: base units, and `_total` at the end for a counter.
    public let name: String
    public let kind: Kind
    /// The meaning, in one sentence. The table in `Monitoring.docc` contains the same sentence.
    public let help: String
    /// The names of the labels, in the order of their values.
    public let labels: [String]
    /// The upper bounds of a histogram's buckets, ascending, without the infinite one.
    public let bounds: [Double]

    public static func counter(_ name: String, labels: [String] = [], help: String) -> MetricDefinition {
        MetricDefinition(name: name, kind: .counter, help: help, labels: labels, bounds: [])
    }

    public static func gauge(_ name: String, labels: [String] = [], help: String) -> MetricDefinition {
        MetricDefinition(name: name, kind: .gauge, help: help, labels: labels, bounds: [])
    }

    public static func histogram(
        _ name: String, labels: [String] = [], bounds: [Double], help: String
    ) -> MetricDefinition {
        MetricDefinition(name: name, kind: .histogram, help: help, labels: labels, bounds: bounds)
    }
}
