// SPDX-License-Identifier: Apache-2.0

/// How much of the change log is kept.
public struct Retention: Hashable, Sendable {
    /// At most so many changes.
    public var count: UInt64
    /// None that is older; zero: whatever its age.
    public var age: Duration
    /// So many of the newest are kept however old they are, so that a wrong clock cannot take all of them.
    var least: UInt64 = 1_000
    /// The text search reads the log. Changes that it has not read yet wait for it, up to so many; then it is built anew.
    var searchLag: UInt64 = 100_000

    public init(count: UInt64 = 10_000_000, age: Duration = .seconds(30 * 86_400)) {
        self.count = count
        self.age = age
    }
}
