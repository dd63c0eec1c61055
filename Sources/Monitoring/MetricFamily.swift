// SPDX-License-Identifier: Apache-2.0

/// The series of one metric at one moment.
public struct MetricFamily: Sendable {
    public var definition: MetricDefinition
    public var series: [MetricSeries]

    public init(_ definition: MetricDefinition, _ series: [MetricSeries]) {
        self.definition = definition
        self.series = series
    }
}

/// One series: a value with its labels.
public struct MetricSeries: Sendable {
    public enum Value: Sendable {
        case number(Double)
        /// `counts` has one entry more than the bounds, for the values that are larger than all of them.
        case histogram(counts: [UInt64], sum: Double)
    }

    /// The values of the labels, in the order of their names.
    public var labels: [String]
    public var value: Value

    public init(_ labels: [String], _ value: Value) {
        self.labels = labels
        self.value = value
    }

    public init(_ value: Value) { self.init([], value) }
}
