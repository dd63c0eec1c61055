// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import WaymarkProtocol
import ZeroMQ

/// The rules for accounts, their keys and passwords.
///
/// No answer holds a secret. Storage remembers each answer for repeated requests; only a request with a password can be
/// repeated safely without a remembered answer.
package final class AccountRules {
    /// The maximum number of usable keys of one account, without its sessions.
    static let mostKeys = 100
    /// The maximum number of sessions of one account. One more ends the oldest, so that users can always sign in.
    static let mostSessions = 20
    /// The maximum number of ended and expired keys, including sessions, that are kept for one account.
    static let mostEnded = 100
    /// The maximum number of milliseconds for which an ended key is kept, so that the list of keys still shows it.
    private static let afterwards: UInt64 = 7 * 86_400_000

    private let accounts: any AccountTable
    /// The newest revision of an account or key.
    private(set) var revision: UInt64
    /// The revision of the newest key that was deleted since the start. A rollback does not restore the older value,
    /// because too high a value does no harm.
    private(set) var forgotten: UInt64 = 0

    init(_ tables: WriterTables) throws {
        accounts = tables.accounts
        revision = try accounts.newestRevision()
    }

    func rollBack(to revision: UInt64) { self.revision = revision }

    /// Counts a change of an account or key, and returns its revision.
    private func nextRevision() -> UInt64 {
        revision += 1
        return revision
    }

    func run(_ command: AccountCommand, by asker: Caller, now: UInt64) throws -> WireReply {
        if case .note = command { return .with { $0.done = WireDone() } }
        // Look up the account again, because its role may have changed, or the account may have ended.
        let caller = asker.number == 0 ? asker : .account(try usable(asker.number).account)
        switch command {
        case .create(let name, let role, let invitation):
            return try create(name, role, invitation, by: caller, now: now)
        case .change(let name, let role, let newName, let invitation, let ends):
            return try change(name, role, newName, invitation, ends, by: caller, now: now)
        case .setPassword(let number, let hash, let verified):
            let stored = try usable(number)
            guard stored.password == verified else { throw Refusal.wrongPassword }
            try set(hash, of: stored, keeping: nil, now: now)
            return .with { $0.done = WireDone() }
        case .addKey(let key, let name):
            try caller.require(name.isEmpty ? .ownAccount : .manageAccounts)
            let stored = name.isEmpty ? try usable(caller.number) : try named(name)
            let info = try add(key, to: stored, now: now)
            return .with { $0.keys.keys = [info] }
        case .endKey(let key): return try end(key, by: caller, now: now)
        case .signIn(let number, let key, let proof): return try signIn(number, key, proof, now: now)
        case .signUp(let name, let key, let hash):
            if let known = try accounts.find(named: name) { throw Refusal.nameTaken(known.account.name) }
            var stored = try accounts.insert(name, .user, revision: nextRevision(), now: now)
            stored.password = hash
            try accounts.update(stored, revision: nextRevision())
            return try signedIn(stored, try add(key, to: stored, now: now), now: now)
        case .adopt(let claimed, let name):
            try caller.require(.manageAccounts)
            try accounts.addOwnerTask(account: try named(name).account.number, claimed: claimed)
            return .with { $0.done = WireDone() }
        // The command runner rewrites the landmarks itself, so there is nothing to do here.
        case .rewriteOwners, .note: return .with { $0.done = WireDone() }
        }
    }

    private func usable(_ number: UInt64) throws -> StoredAccount {
        guard let stored = try accounts.find(number), !stored.account.isEnded else {
            throw ServiceError.accountEnded
        }
        return stored
    }

    /// Finds an account by its name. Throws an error if there is no such account, or if the account has ended.
    private func named(_ name: String) throws -> StoredAccount {
        guard let stored = try accounts.find(named: name) else { throw Refusal.noAccount(name) }
        guard !stored.account.isEnded else { throw Refusal.endedAccount(stored.account.name) }
        return stored
    }

    private func create(
        _ name: String, _ role: Role, _ invitation: AccountCommand.Invitation?, by caller: Caller, now: UInt64
    ) throws -> WireReply {
        try caller.require(.manageAccounts)
        if let known = try accounts.find(named: name) { throw Refusal.nameTaken(known.account.name) }
        let stored = try accounts.insert(name, role, revision: nextRevision(), now: now)
        if let invitation { try accounts.store(invitation, for: stored.account.number) }
        return try reply(stored, invitation, now: now)
    }

    private func change(
        _ name: String, _ role: Role?, _ newName: String?, _ invitation: AccountCommand.Invitation?, _ ends: Bool,
        by caller: Caller, now: UInt64
    ) throws -> WireReply {
        try caller.require(.manageAccounts)
        var stored = try named(name)
        if let newName, let other = try accounts.find(named: newName),
            other.account.number != stored.account.number
        {
            throw Refusal.nameTaken(other.account.name)
        }
        let losesAdmin = stored.account.role == .admin && (ends || role.map { $0 != .admin } == true)
        guard try !losesAdmin || accounts.count(.admin) > 1 else { throw Refusal.lastAdmin }
        guard (stored.account.role == .service) == ((role ?? stored.account.role) == .service) else {
            throw Refusal.serviceRole
        }
        guard invitation == nil || stored.account.role != .service else { throw Refusal.serviceRole }
        if let role { stored.account.role = role }
        if let newName, newName != stored.account.name {
            stored.account.name = newName
            try accounts.addOwnerTask(account: stored.account.number, claimed: nil)
        }
        if let invitation { try accounts.store(invitation, for: stored.account.number) }
        if ends {
            stored.ended = now
            // The password is kept, so that only people who know the password are told that the account has ended.
            stored.account.isEnded = true
            try accounts.removeInvitation(of: stored.account.number)
            try accounts.endKeys(of: stored.account.number, revision: nextRevision(), now: now)
        }
        if role != nil || newName != nil || ends { try accounts.update(stored, revision: nextRevision()) }
        return try reply(stored, invitation, now: now)
    }

    private func reply(
        _ stored: StoredAccount, _ invitation: AccountCommand.Invitation?, now: UInt64
    ) throws -> WireReply {
        var info = WireAccountInfo(stored)
        info.keys = UInt32(try accounts.usableKeys(of: stored.account.number, now: now))
        info.invitedUntil = invitation?.expires ?? 0
        return .with { ($0.account.account, $0.account.expires) = (info, info.invitedUntil) }
    }

    // MARK: Keys

    private func add(_ key: AccountCommand.NewKey, to stored: StoredAccount, now: UInt64) throws -> WireKeyInfo {
        let number = stored.account.number
        if let known = try accounts.key(key.key) {
            // A repeated request gets the key that is already stored. An ended key stays ended, whoever owned it.
            guard known.account == number, known.info.ended == 0 else { throw Refusal.keyTaken }
            return known.info
        }
        if key.kind == .session {
            try accounts.endSessions(
                of: number, keeping: Self.mostSessions - 1, except: nil, revision: nextRevision(), now: now)
        } else if try accounts.usableKeys(of: number, now: now) >= Self.mostKeys {
            throw Refusal.tooMany(Self.mostKeys, "keys", "An account has", "end")
        }
        // The ended key of a service must not be deleted: otherwise storage would add the key again at its next start.
        if stored.account.role != .service {
            let ended = try accounts.forgetKeys(
                of: number, endedBefore: now - min(now, Self.afterwards), keeping: Self.mostEnded, now: now)
            forgotten = max(forgotten, ended)
        }
        try accounts.insert(key, of: number, revision: nextRevision(), now: now)
        return .with {
            $0.key = Data(key.key.bytes)
            ($0.label, $0.made, $0.expires, $0.kind) = (key.label, now, key.expires, key.kind.wire)
            $0.readsOnly = key.readsOnly
        }
    }

    private func end(_ key: CurveKey, by caller: Caller, now: UInt64) throws -> WireReply {
        guard let known = try accounts.key(key) else { throw Refusal.noKey }
        if known.account != caller.number {
            // The refusal must not reveal whether another account has this key.
            do { try caller.require(.manageAccounts) } catch { throw Refusal.noKey }
        }
        if known.info.ended == 0 { try accounts.end(key, revision: nextRevision(), now: now) }
        return .with { $0.done = WireDone() }
    }

    private func signIn(
        _ number: UInt64, _ key: AccountCommand.NewKey, _ proof: AccountCommand.Proof, now: UInt64
    ) throws -> WireReply {
        let stored = try usable(number)
        switch proof {
        case .password(let hash):
            guard stored.password == hash else { throw Refusal.wrongPassword }
            return try signedIn(stored, try add(key, to: stored, now: now), now: now)
        case .code(let code, let hash):
            guard try accounts.isValid(invitation: code, for: number, now: now) else { throw Refusal.wrongPassword }
            let info = try add(key, to: stored, now: now)
            return try signedIn(try set(hash, of: stored, keeping: key.key, now: now), info, now: now)
        }
    }

    /// Sets a password, and ends the account's other sessions and its invitation, because somebody who knows the old
    /// password may still be signed in, and somebody with the invitation could set yet another password.
    ///
    /// - Parameter key: the session to keep.
    @discardableResult
    private func set(
        _ hash: String, of stored: StoredAccount, keeping key: CurveKey?, now: UInt64
    ) throws -> StoredAccount {
        var stored = stored
        stored.password = hash
        let number = stored.account.number
        try accounts.update(stored, revision: nextRevision())
        try accounts.endSessions(
            of: number, keeping: 0, except: key, revision: nextRevision(), now: now)
        try accounts.removeInvitation(of: number)
        return stored
    }

    private func signedIn(_ stored: StoredAccount, _ key: WireKeyInfo, now: UInt64) throws -> WireReply {
        var reply = try reply(stored, nil, now: now)
        reply.account.key = key
        return reply
    }
}
