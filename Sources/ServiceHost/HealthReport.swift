// SPDX-License-Identifier: Apache-2.0

/// How a service is: alive, since it answers at all; and whether it can do its work.
public struct HealthReport: Hashable, Sendable {
    /// What keeps it from its work, one sentence each, for an operator; empty: it is ready.
    public var problems: [String]
    /// What an operator should know although it does its work, one sentence each.
    public var remarks: [String]

    public var isReady: Bool { problems.isEmpty }

    public init(problems: [String] = [], remarks: [String] = []) {
        self.problems = problems
        self.remarks = remarks
    }
}
