// SPDX-License-Identifier: Apache-2.0

/// The owner of a landmark or a note, relative to the account that wants to change it.
public enum Ownership: String, Sendable, Hashable, CaseIterable {
    case own
    case others = "another's"
    /// The owner is a source, or a name that was claimed before accounts were required.
    case nobodys = "nobody's"

    /// - Parameters:
    ///   - owner: the account of the landmark or note; 0: none.
    ///   - account: the account that asks; 0: none.
    public init(owner: UInt64, account: UInt64) {
        self = owner == 0 ? .nobodys : owner == account ? .own : .others
    }
}
