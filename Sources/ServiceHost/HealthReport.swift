// SPDX-License-Identifier: Apache-2.0

/// The health of a service: alive because it answers at all, and ready if it can do its work.
public struct HealthReport: Hashable, Sendable {
    /// What prevents the service's work, one sentence each, for an operator. Empty means ready.
    public var problems: [String]
    /// What an operator should know although the service works, one sentence each.
    public var remarks: [String]

    public var isReady: Bool { problems.isEmpty }

    public init(problems: [String] = [], remarks: [String] = []) {
        self.problems = problems
        self.remarks = remarks
    }
}
