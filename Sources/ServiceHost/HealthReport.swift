// SPDX-License-Identifier: Apache-2.0

/// How a service is: alive, since it answers at all; and whether it can do its work.
public struct HealthReport: Hashable, Sendable {
    /// What keeps it from its work, one sentence each, for an operator; empty: it is ready.
    public var problems: [String]

    public var isReady: Bool { problems.isEmpty }

    public init(problems: [String] = []) {
        self.problems = problems
    }
}
