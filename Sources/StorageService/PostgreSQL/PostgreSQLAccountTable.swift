// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import PostgreSQL
import WaymarkProtocol
import ZeroMQ

/// Accounts and their keys. They change seldom, so each change is a statement of its own.
struct PostgreSQLAccountTable: AccountTable {
    let set: WorkingSet

    func newestRevision() throws -> UInt64 {
        // Read at the start too, when there is no transaction yet.
        try set.connection.first(PostgreSQLAccounts.newestRevision) { row in try row.bits(0) } ?? 0
    }

    func find(_ number: UInt64) throws -> StoredAccount? {
        try PostgreSQLAccounts(set.connection).find(number)
    }

    func find(named name: String) throws -> StoredAccount? {
        try PostgreSQLAccounts(set.connection).find(named: name)
    }

    func insert(_ name: String, _ role: Role, revision: UInt64, now: UInt64) throws -> StoredAccount {
        try set.run(
            """
            INSERT INTO accounts (name, folded, role, password, created, ended, revision)
            VALUES ($1, $2, $3, '', $4, 0, $5)
            """,
            [
                .text(name), .text(name.normal.lowercased()), .int8(Int64(role.rawValue)), .bits(now), .bits(revision),
            ])
        guard let made = try find(named: name) else {
            throw EngineError.corrupted("an account that was just made is not there")
        }
        return made
    }

    func update(_ stored: StoredAccount, revision: UInt64) throws {
        let account = stored.account
        try set.run(
            """
            UPDATE accounts SET name = $1, folded = $2, role = $3, password = $4, ended = $5, revision = $6
            WHERE number = $7
            """,
            [
                .text(account.name), .text(account.name.normal.lowercased()), .int8(Int64(account.role.rawValue)),
                .text(stored.password), .bits(stored.ended), .bits(revision), .bits(account.number),
            ])
    }

    func count(_ role: Role) throws -> Int {
        let rows = try set.run(
            "SELECT count(*) FROM accounts WHERE role = $1 AND ended = 0", [.int8(Int64(role.rawValue))])
        return Int(clamping: try rows.first?.bits(0) ?? 0)
    }

    // MARK: Keys

    func key(_ key: CurveKey) throws -> (account: UInt64, info: WireKeyInfo)? {
        try PostgreSQLAccounts(set.connection).key(key)
    }

    func usableKeys(of account: UInt64, now: UInt64) throws -> Int {
        try PostgreSQLAccounts(set.connection).usableKeys(of: account, now: now)
    }

    func insert(_ key: AccountCommand.NewKey, of account: UInt64, revision: UInt64, now: UInt64) throws {
        try set.run(
            """
            INSERT INTO account_keys (key, kind, account, label, made, expires, ended, revision)
            VALUES ($1, $2, $3, $4, $5, $6, 0, $7)
            """,
            [
                .bytea(key.key.bytes), .int8(Int64(key.kind.rawValue)), .bits(account), .text(key.label), .bits(now),
                .bits(key.expires), .bits(revision),
            ])
    }

    func end(_ key: CurveKey, revision: UInt64, now: UInt64) throws {
        try set.run(
            "UPDATE account_keys SET ended = $1, revision = $2 WHERE key = $3 AND ended = 0",
            [.bits(now), .bits(revision), .bytea(key.bytes)])
    }

    func endKeys(of account: UInt64, revision: UInt64, now: UInt64) throws {
        try set.run(
            "UPDATE account_keys SET ended = $1, revision = $2 WHERE account = $3 AND ended = 0",
            [.bits(now), .bits(revision), .bits(account)])
    }

    func endSessions(
        of account: UInt64, keeping newest: Int, except key: CurveKey?, revision: UInt64, now: UInt64
    ) throws {
        // Of those of one millisecond the key decides, where SQLite takes the order of insertion.
        try set.run(
            """
            UPDATE account_keys SET ended = $1, revision = $2 WHERE key IN (
                SELECT key FROM account_keys WHERE account = $3 AND kind = $4 AND ended = 0 AND key <> $6
                ORDER BY made DESC, key OFFSET $5)
            """,
            [
                .bits(now), .bits(revision), .bits(account), .int8(Int64(KeyKind.session.rawValue)),
                .int8(Int64(newest)), .bytea(key?.bytes ?? []),
            ])
    }

    func forgetKeys(of account: UInt64, endedBefore time: UInt64, keeping newest: Int, now: UInt64) throws -> UInt64 {
        let ended = "account = $1 AND (ended > 0 OR (expires > 0 AND expires <= $2))"
        let forgotten = """
            FROM account_keys WHERE \(ended) AND (
                (ended > 0 AND ended < $3) OR (expires > 0 AND expires < $3) OR key NOT IN (
                    SELECT key FROM account_keys WHERE \(ended) ORDER BY revision DESC, key LIMIT $4))
            """
        let parameters: [Parameter] = [.bits(account), .bits(now), .bits(time), .int8(Int64(newest))]
        let rows = try set.run("SELECT coalesce(max(revision), 0) \(forgotten)", parameters)
        let revision = try rows.first?.bits(0) ?? 0
        if revision > 0 { try set.run("DELETE \(forgotten)", parameters) }
        return revision
    }
}

struct PostgreSQLInvitationTable: InvitationTable {
    let set: WorkingSet

    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) throws {
        try remove(of: account)
        try set.run(
            "INSERT INTO invitations (account, digest, expires) VALUES ($1, $2, $3)",
            [.bits(account), .bytea(invitation.digest), .bits(invitation.expires)])
    }

    func isValid(_ digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool {
        try PostgreSQLAccounts(set.connection).isInvited(account, digest, now: now)
    }

    func remove(of account: UInt64) throws {
        try set.run("DELETE FROM invitations WHERE account = $1", [.bits(account)])
    }
}

struct PostgreSQLAuditTable: AuditTable {
    let set: WorkingSet

    func append(
        _ caller: Caller, _ deed: AuditDeed, _ shelf: AuditShelf, subject: String, outcome: String, now: UInt64
    ) throws {
        try set.run(
            """
            INSERT INTO audit (at, number, account, origin, deed, subject, outcome, shelf, place)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
                coalesce((SELECT max(place) FROM audit WHERE shelf = $8), 0) + 1)
            """,
            [
                .bits(now), .bits(caller.number), .text(caller.user), .text(deed.origin), .text(deed.deed),
                // What somebody has asked for may hold a NUL, which PostgreSQL cannot store.
                .text(String(subject.prefix(SQLiteAuditTable.subject)).replacing("\0", with: "\u{fffd}")),
                .text(outcome), .int8(shelf.rawValue),
            ])
        try set.run(
            "DELETE FROM audit WHERE shelf = $1 AND place <= (SELECT max(place) FROM audit WHERE shelf = $1) - $2",
            [.int8(shelf.rawValue), .int8(AuditShelf.most)])
    }
}

struct PostgreSQLOwnerTaskTable: OwnerTaskTable {
    let set: WorkingSet

    func first() throws -> OwnerTask? {
        try set.connection.first("SELECT id, account, claimed, after FROM owner_tasks ORDER BY id LIMIT 1") { row in
            OwnerTask(
                id: try row.bits(0), account: try row.bits(1), claimed: row.isNull(2) ? nil : try row.text(2),
                after: try row.bits(3))
        }
    }

    func add(account: UInt64, claimed: String?) throws {
        try set.run(
            "INSERT INTO owner_tasks (account, claimed, after) VALUES ($1, $2, 0)", [.bits(account), .text(claimed)])
    }

    func advance(_ task: OwnerTask, to key: UInt64?) throws {
        if let key {
            try set.run("UPDATE owner_tasks SET after = $1 WHERE id = $2", [.bits(key), .bits(task.id)])
        } else {
            try set.run("DELETE FROM owner_tasks WHERE id = $1", [.bits(task.id)])
        }
    }
}
