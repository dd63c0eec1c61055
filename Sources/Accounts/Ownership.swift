// SPDX-License-Identifier: Apache-2.0

/// The owner of a landmark or note, seen from the account that wants to change it.
public enum Ownership: String, Sendable, Hashable, CaseIterable {
    case own
    case others = "another's"
    /// The owner is a source, or a user name that was claimed while accounts were not required.
    case nobodys = "nobody's"

    /// - Parameters:
    ///   - owner: the number of the account that owns the landmark or note; 0 if no account owns it.
    ///   - account: the number of the account that wants to change it; 0 if the caller has no account.
    public init(owner: UInt64, account: UInt64) {
        self = owner == 0 ? .nobodys : owner == account ? .own : .others
    }
}
