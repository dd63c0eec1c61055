// SPDX-License-Identifier: Apache-2.0

/// Something with counters of its own, beside the server, that can be read from any thread.
public protocol MetricsSource: Sendable {
    var families: [MetricFamily] { get }
}
