// SPDX-License-Identifier: Apache-2.0

/// Limits of the change log.
public struct Retention: Hashable, Sendable {
    /// The maximum number of changes that are kept.
    public var count: UInt64
    /// The maximum age of a kept change; zero if there is no limit.
    public var age: Duration
    /// The maximum age of a change that is kept because a hook has not delivered it; zero if the log waits for no hook.
    public var hooks: Duration = .seconds(7 * 86_400)
    /// The number of newest changes that are kept whatever their age, so that a wrong clock cannot delete all changes.
    var least: UInt64 = 1_000
    /// The maximum number of changes that are kept because the text search has not read them. If the text search falls
    /// further behind, its index is rebuilt.
    var searchLag: UInt64 = 100_000

    public init(count: UInt64 = 10_000_000, age: Duration = .seconds(30 * 86_400)) {
        (self.count, self.age) = (count, age)
    }
}
