// SPDX-License-Identifier: Apache-2.0

/// A service as the listener sees it.
public struct Monitored: Sendable {
    /// Returns when the service's loop has had a turn.
    public var turn: @Sendable () async -> Void
    /// What keeps it from its work, one sentence each; empty: it is ready.
    public var problems: @Sendable () async -> [String]
    /// Brings the service's numbers into the registry.
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
