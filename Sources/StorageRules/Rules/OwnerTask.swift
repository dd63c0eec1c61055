// SPDX-License-Identifier: Apache-2.0

/// A pending change of owner, or of an owner's name, on landmarks and notes. The task goes through all landmarks once,
/// some at a time, and survives a restart.
package struct OwnerTask: Hashable, Sendable {
    var id: UInt64
    /// The new owner.
    var account: UInt64
    /// The claimed name, without an account, whose landmarks move; nil rewrites those that the account owns.
    var claimed: String?
    /// The key of the last examined landmark.
    var after: UInt64
}
