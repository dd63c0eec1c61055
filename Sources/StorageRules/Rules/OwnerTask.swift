// SPDX-License-Identifier: Apache-2.0

/// A pending change of the owner, or of the owner's name, on landmarks and notes. A task goes once through all
/// landmarks, examines some of them in each step, and survives a restart.
package struct OwnerTask: Hashable, Sendable {
    var id: UInt64
    /// The account of the new owner, or of the owner with a new name.
    var account: UInt64
    /// The user name whose landmarks and notes, made without an account, go to the account; nil if the task rewrites
    /// landmarks and notes that the account already owns.
    var claimed: String?
    /// The key of the last examined landmark.
    var after: UInt64
}
