// SPDX-License-Identifier: Apache-2.0

/// The right that a request needs. Each kind of request needs one of these.
public enum Permission: String, Sendable, Hashable, CaseIterable {
    /// Questions, pages of the log, tracks, the state of services.
    case read
    /// Following changes as they happen.
    case follow
    case add
    case edit
    case move
    case remove
    case addNote = "add a note"
    case editNote = "edit a note"
    case removeNote = "remove a note"
    /// Writing rows of a source, and leases to fetch it.
    case ingest
    /// The caller's own account: identity, password, keys.
    case ownAccount = "one's own account and keys"
    /// The accounts and keys of others, and the audit trail.
    case manageAccounts = "others' accounts and keys, the audit trail"
    /// Compacting the log, and copying the database.
    case upkeep = "backup, compaction"
    /// Following the table of keys, as services do.
    case followAccounts = "the table of accounts"
    /// Sending requests in another account's name.
    case actForAnother = "act for another"
}
