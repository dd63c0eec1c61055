// SPDX-License-Identifier: Apache-2.0

/// A component beside the server with counters of its own, which can be read from any thread.
public protocol MetricsSource: Sendable {
    var families: [MetricFamily] { get }
}
