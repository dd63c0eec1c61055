// SPDX-License-Identifier: Apache-2.0

/// A service as the listener sees it.
public struct Monitored: Sendable {
    /// Returns when the service's loop has had a turn.
    public var turn: @Sendable () async -> Void
    /// The problems that keep the service from its work, one sentence each; empty when it is ready.
    public var problems: @Sendable () async -> [String]
    /// Copies the service's counters into the registry.
    public var collect: @Sendable () async -> Void

    public init(
        turn: @escaping @Sendable () async -> Void, problems: @escaping @Sendable () async -> [String],
        collect: @escaping @Sendable () async -> Void
    ) {
        self.turn = turn
        self.problems = problems
        self.collect = collect
    }
}
