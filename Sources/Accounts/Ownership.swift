// SPDX-License-Identifier: Apache-2.0

/// Whose a landmark or a note is, as seen by who wants to change it.
public enum Ownership: String, Sendable, Hashable, CaseIterable {
    case own
    case others = "another's"
    /// A source's, or of a name that was claimed before accounts were required.
    case nobodys = "nobody's"

    /// - Parameters:
    ///   - owner: the account of the landmark or note; 0: none.
    ///   - account: the account that asks; 0: none.
    public init(owner: UInt64, account: UInt64) {
        self = owner == 0 ? .nobodys : owner == account ? .own : .others
    }
}
