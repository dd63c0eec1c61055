// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol
import ZeroMQ

/// Accounts and their keys. Each change of them has a revision of theirs, apart from those of the change log: the rules count
/// them. Times are Unix milliseconds.
protocol AccountTable {
    /// The revision of the newest account or key.
    func newestRevision() throws -> UInt64

    func find(_ number: UInt64) throws -> StoredAccount?
    /// Case does not count, so that nobody can take a name that looks like another's.
    func find(named name: String) throws -> StoredAccount?
    /// How many accounts have this role and have not ended.
    func count(_ role: Role) throws -> Int
    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) throws -> StoredAccount
    func update(_ stored: StoredAccount, revision: UInt64) throws

    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)?
    /// How many keys of an account may be used, without its sessions.
    func usableKeys(of account: UInt64, now: UInt64) throws -> Int
    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) throws
    func end(_ key: CurveKey, revision: UInt64, now: UInt64) throws
    /// Ends all keys of an account, its sessions among them.
    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) throws
    /// Ends all sessions of an account but the newest, and `key`.
    func endSessions(
        of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64) throws
    /// Deletes keys of an account that ended or expired before a time, and of all that have, those beyond the newest by
    /// their revisions.
    ///
    /// - Returns: the newest revision of a deleted key; 0: there is none.
    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) throws -> UInt64
}
