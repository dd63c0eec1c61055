// SPDX-License-Identifier: Apache-2.0

/// Limits of the change log.
public struct Retention: Hashable, Sendable {
    /// The most changes that are kept.
    public var count: UInt64
    /// The greatest age of a kept change; zero means any age.
    public var age: Duration
    /// The number of newest changes that are kept at any age, so that a wrong clock cannot delete all of them.
    var least: UInt64 = 1_000
    /// The most changes that are kept because the text search has not read them. If it falls further behind, its index
    /// is built anew.
    var searchLag: UInt64 = 100_000

    public init(count: UInt64 = 10_000_000, age: Duration = .seconds(30 * 86_400)) {
        self.count = count
        self.age = age
    }
}
