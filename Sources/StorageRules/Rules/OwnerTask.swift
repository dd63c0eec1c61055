// SPDX-License-Identifier: Apache-2.0

/// Landmarks and notes that are to get another owner, or their owner's new name. It goes through all landmarks once, some
/// at a time, and survives a restart.
package struct OwnerTask: Hashable, Sendable {
    var id: UInt64
    /// The owner from then on.
    var account: UInt64
    /// Whose they were: a name that was claimed, with no account. Nil: those that the account has already.
    var claimed: String?
    /// The key of the last landmark that was looked at.
    var after: UInt64
}
