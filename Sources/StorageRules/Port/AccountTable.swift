// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol
import ZeroMQ

/// Accounts, their keys and invitations. Each change to accounts and keys gets a revision from a counter of its own,
/// not from that of the change log. The rules count, the table only stores the revisions. Times are Unix milliseconds.
protocol AccountTable {
    /// Returns the newest revision of an account or key.
    func newestRevision() throws -> UInt64

    func find(_ number: UInt64) throws -> StoredAccount?
    /// Finds an account regardless of case, so that nobody can take a name that differs from another name only in case.
    func find(named name: String) throws -> StoredAccount?
    /// Counts the accounts that have this role and have not ended.
    func count(_ role: Role) throws -> Int
    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) throws -> StoredAccount
    func update(_ stored: StoredAccount, revision: UInt64) throws

    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)?
    /// Counts an account's usable keys without its sessions.
    func usableKeys(of account: UInt64, now: UInt64) throws -> Int
    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) throws
    func end(_ key: CurveKey, revision: UInt64, now: UInt64) throws
    /// Ends all keys of an account, including its sessions.
    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) throws
    /// Ends all sessions of an account except `key` and the `newest` newest ones.
    func endSessions(
        of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64) throws
    /// Deletes the keys of an account that ended or expired before `time`. Of the other ended and expired keys, keeps
    /// only the `newest` ones with the highest revisions.
    ///
    /// - Returns: the highest revision of a deleted key; 0 if none was deleted.
    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) throws -> UInt64

    /// Keeps an invitation in place of the account's former one. An account has at most one, until it is used.
    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) throws
    func isValid(invitation digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool
    func removeInvitation(of account: UInt64) throws

    /// Returns the oldest pending change of the owners of landmarks.
    func ownerTask() throws -> OwnerTask?
    func addOwnerTask(account: UInt64, claimed: String?) throws
    /// - Parameter key: the key of the last landmark that was examined; nil if all landmarks have been examined.
    func advance(_ task: OwnerTask, to key: UInt64?) throws
}
