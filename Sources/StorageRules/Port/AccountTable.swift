// SPDX-License-Identifier: Apache-2.0

import Accounts
import WaymarkProtocol
import ZeroMQ

/// Accounts and their keys. Each change to them gets a revision from a counter of its own, apart from the change log's;
/// the rules do the counting. Times are Unix milliseconds.
protocol AccountTable {
    /// The revision of the newest account or key.
    func newestRevision() throws -> UInt64

    func find(_ number: UInt64) throws -> StoredAccount?
    /// Finds an account regardless of case, so that nobody can take a name that looks like another's.
    func find(named name: String) throws -> StoredAccount?
    /// Counts accounts that have this role and have not ended.
    func count(_ role: Role) throws -> Int
    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) throws -> StoredAccount
    func update(_ stored: StoredAccount, revision: UInt64) throws

    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)?
    /// Counts an account's usable keys, sessions excluded.
    func usableKeys(of account: UInt64, now: UInt64) throws -> Int
    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) throws
    func end(_ key: CurveKey, revision: UInt64, now: UInt64) throws
    /// Ends all keys of an account, sessions included.
    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) throws
    /// Ends all sessions of an account except the `newest` newest ones and `key`.
    func endSessions(
        of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64) throws
    /// Deletes ended and expired keys of an account: those that ended or expired before `time`, and all but the
    /// `newest` keys with the highest revisions.
    ///
    /// - Returns: the highest revision of a deleted key; 0 if none was deleted.
    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) throws -> UInt64
}
