// SPDX-License-Identifier: Apache-2.0

/// A service as the listener sees it.
public struct Monitored: Sendable {
    /// Returns when the service's loop has had a turn.
    public var turn: @Sendable () async -> Void
    /// The problems that keep the service from its work, one sentence each; empty when it is ready.
    public var problems: @Sendable () async -> [String]
    /// The service's metrics; nil: as before.
    public var collect: @Sendable () async -> [MetricFamily]?
    /// Metrics that need no turn of the loop.
    public var others: @Sendable () -> [MetricFamily]

    public init(
        turn: @escaping @Sendable () async -> Void, problems: @escaping @Sendable () async -> [String],
        collect: @escaping @Sendable () async -> [MetricFamily]?,
        others: @escaping @Sendable () -> [MetricFamily] = { [] }
    ) {
        (self.turn, self.problems, self.collect, self.others) = (turn, problems, collect, others)
    }
}
