// SPDX-License-Identifier: Apache-2.0

/// A component beside a service's server, such as its web listener, with counters that can be read on any thread.
public protocol MetricsSource: Sendable {
    var families: [MetricFamily] { get }
}
