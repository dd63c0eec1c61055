// SPDX-License-Identifier: Apache-2.0

/// The right that a request needs. Each kind of request needs exactly one of these.
public enum Permission: String, Sendable, Hashable, CaseIterable {
    /// Reading landmarks, pages of the log, tracks and the state of services.
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
    /// Writing rows of a source, and taking leases to fetch the source.
    case ingest
    /// Reading and changing the caller's own account, with its password and keys.
    case ownAccount = "one's own account and keys"
    /// Reading and changing the accounts and keys of others, and reading the audit trail.
    case manageAccounts = "others' accounts and keys, the audit trail"
    /// Compacting the log, and copying the database.
    case upkeep = "backup, compaction"
    /// Following changes of accounts and keys, as services do.
    case followAccounts = "the table of accounts"
    /// Keeping filters under a name, and replacing and removing them.
    case fence = "own fences"
    /// Having changes delivered to a URL, and reading and changing that.
    case hook = "own hooks"
    /// Delivering changes to the URLs of hooks, as query services do, which also reads the hooks' secrets.
    case runHooks = "run hooks"
    /// Making links and phones' keys for one's own landmarks, and reading and ending them.
    case share = "own links and phones"
    /// Doing what a grant allows on behalf of whoever brings its secret, as query services do.
    case useGrants = "use links and phones"
    /// Adding points, by a grant or to one's own landmark. The rule checks whose landmark it is.
    case addPoints = "points of one's own track"
    case listAccounts = "list of accounts"
    /// Sending requests on behalf of another account.
    case actForAnother = "act for another"
}
