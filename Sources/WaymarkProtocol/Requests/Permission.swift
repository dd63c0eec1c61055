// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// What a request does, as far as rights are concerned. Each kind of request is one of these.
public enum Permission: String, Sendable, Hashable, CaseIterable {
    /// Questions, pages of the log, tracks, the state of services.
    case read
    /// Changes as they come.
    case follow
    case add
    case edit
    case move
    case remove
    case addNote = "add a note"
    case editNote = "edit a note"
    case removeNote = "remove a note"
    /// Rows of a source, and the turns at fetching it.
    case ingest
    /// One's own account: who one is, the password, the keys.
    case ownAccount = "one's own account and keys"
    /// The accounts and keys of others, and the audit trail.
    case manageAccounts = "others' accounts and keys, the audit trail"
    /// The log's length, copies of the database.
    case upkeep = "backup, compaction"
    /// The table of keys, as services need it.
    case followAccounts = "the table of accounts"
    /// Requests in another account's name.
    case actForAnother = "act for another"

    /// What a request does when it is about the caller's own account; ``AccessRule`` asks again where it is about another.
    public init(_ kind: RequestKind) {
        switch kind {
        case .add: self = .add
        case .edit: self = .edit
        case .move: self = .move
        case .remove: self = .remove
        case .addNote: self = .addNote
        case .editNote: self = .editNote
        case .removeNote: self = .removeNote
        case .ingest, .beginFetch, .endFetch: self = .ingest
        case .compact, .beginBackup, .readBackup: self = .upkeep
        case .whoAmI, .setPassword, .listKeys, .addKey, .endKey: self = .ownAccount
        case .listAccounts, .createAccount, .changeAccount, .readAudit, .adopt: self = .manageAccounts
        case .followAccounts: self = .followAccounts
        // Signing in is not for those who have an account's key already; whoever may do it is decided where it arrives.
        case .signIn: self = .actForAnother
        case .unknown, .hello, .status, .health, .near, .list, .distance, .tile, .rates, .search, .show, .changes,
            .snapshot, .sources, .sourceKeys, .locate, .track, .door:
            self = .read
        }
    }

    /// Whether it depends on whose the landmark or the note is.
    public var isOnSomething: Bool {
        switch self {
        case .edit, .move, .remove, .editNote, .removeNote: true
        default: false
        }
    }
}

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
