// SPDX-License-Identifier: Apache-2.0

/// The values of one metric at one time.
public struct MetricFamily: Sendable {
    public var definition: MetricDefinition
    public var series: [MetricSeries]

    public init(_ definition: MetricDefinition, _ series: [MetricSeries]) {
        self.definition = definition
        self.series = series
    }
}

/// One value of a metric, with its labels.
public struct MetricSeries: Sendable {
    public enum Value: Sendable {
        case number(Double)
        /// A histogram. `counts` has one element more than the bounds, which counts the values larger than all bounds.
        case histogram(counts: [UInt64], sum: Double)
    }

    /// The values of the labels, in the order of the labels' names.
    public var labels: [String]
    public var value: Value

    public init(_ labels: [String], _ value: Value) {
        self.labels = labels
        self.value = value
    }

    public init(_ value: Value) { self.init([], value) }
}
