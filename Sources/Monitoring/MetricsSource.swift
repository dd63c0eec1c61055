// SPDX-License-Identifier: Apache-2.0

/// Something with counters of its own, which it copies into a registry at each scrape.
public protocol MetricsSource: Sendable {
    func collect() async
}
