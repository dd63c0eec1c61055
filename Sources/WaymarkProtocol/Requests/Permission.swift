// SPDX-License-Identifier: Apache-2.0

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
}
