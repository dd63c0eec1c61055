// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SwiftProtobuf
import WaymarkProtocol

/// Invitations.
extension SQLAccountTable {
    func store(_ invitation: AccountCommand.Invitation, for account: UInt64) throws {
        try removeInvitation(of: account)
        try db.write(
            "INSERT INTO invitations (account, digest, expires) VALUES ($1, $2, $3)",
            [.bits(account), .blob(invitation.digest), .bits(invitation.expires)])
    }

    /// Returns the end of the account's invitation in Unix milliseconds; nil if there is no invitation.
    func invitationEnd(of account: UInt64) throws -> UInt64? {
        try db.value("SELECT expires FROM invitations WHERE account = $1", [.bits(account)]) { row in try row.bits(0) }
    }

    package func isValid(invitation digest: [UInt8], for account: UInt64, now: UInt64) throws -> Bool {
        try db.count(
            "SELECT count(*) FROM invitations WHERE account = $1 AND digest = $2 AND expires > $3",
            [.bits(account), .blob(digest), .bits(now)]) > 0
    }

    func removeInvitation(of account: UInt64) throws {
        try db.write("DELETE FROM invitations WHERE account = $1", [.bits(account)])
    }
}

/// The audit trail. It keeps the newest entries of each shelf.
struct SQLAuditTable {
    /// The maximum number of characters of a subject.
    static let subject = 100

    let db: any SQLSession

    /// Adds an entry, and deletes the oldest entries beyond the shelf's limit.
    func append(
        _ caller: Caller, _ deed: AuditDeed, _ shelf: AuditShelf, subject: String, outcome: String, now: UInt64
    ) throws {
        var subject = String(subject.prefix(Self.subject))
        // The subject comes from a request, so it may hold a NUL character.
        if !db.dialect.storesNUL { subject = subject.replacing("\0", with: "\u{fffd}") }
        try db.write(
            """
            INSERT INTO audit (at, number, account, origin, deed, subject, outcome, shelf, place)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
                coalesce((SELECT max(place) FROM audit WHERE shelf = $8), 0) + 1)
            """,
            [
                .bits(now), .bits(caller.number), .text(caller.user), .text(deed.origin), .text(deed.deed),
                .text(subject), .text(outcome), .integer(shelf.rawValue),
            ])
        try db.write(
            "DELETE FROM audit WHERE shelf = $1 AND place <= (SELECT max(place) FROM audit WHERE shelf = $1) - $2",
            [.integer(shelf.rawValue), .integer(AuditShelf.most)])
    }

    /// Returns the entries with ids below `id`, newest first; all entries if `id` is 0.
    func entries(before id: UInt64, limit: Int) throws -> [WireAuditEntry] {
        try db.values(
            """
            SELECT id, at, account, origin, deed, subject, outcome FROM audit WHERE id < $1 ORDER BY id DESC LIMIT $2
            """, [.integer(id == 0 ? Int64.max : Int64(clamping: id)), .int(limit)]
        ) { row in
            var entry = WireAuditEntry()
            (entry.id, entry.at) = (try row.bits(0), try row.bits(1))
            (entry.account, entry.origin, entry.deed) = (try row.text(2), try row.text(3), try row.text(4))
            (entry.subject, entry.outcome) = (try row.text(5), try row.text(6))
            return entry
        }
    }
}

/// Pending changes of the owners of landmarks.
extension SQLAccountTable {
    func ownerTask() throws -> OwnerTask? {
        try db.value("SELECT id, account, claimed, after FROM owner_tasks ORDER BY id LIMIT 1") { row in
            OwnerTask(
                id: try row.bits(0), account: try row.bits(1), claimed: row.isNull(2) ? nil : try row.text(2),
                after: try row.bits(3))
        }
    }

    func addOwnerTask(account: UInt64, claimed: String?) throws {
        try db.write(
            "INSERT INTO owner_tasks (account, claimed, after) VALUES ($1, $2, 0)", [.bits(account), .text(claimed)])
    }

    func advance(_ task: OwnerTask, to key: UInt64?) throws {
        if let key {
            try db.write("UPDATE owner_tasks SET after = $1 WHERE id = $2", [.bits(key), .bits(task.id)])
        } else {
            try db.write("DELETE FROM owner_tasks WHERE id = $1", [.bits(task.id)])
        }
    }
}

/// The states of fetches. They change a few times a minute, without making a revision.
struct SQLFetchTable: FetchTable {
    private static let columns =
        "source, url, format, attempted, succeeded, attempts, failures, lease, outcome, success_url, success_format"

    let db: any SQLSession

    func find(_ source: String) throws -> FetchState? {
        try db.value("SELECT \(Self.columns) FROM fetches WHERE source = $1", [.text(source)], read: Self.state)
    }

    func store(_ state: FetchState) throws {
        let listed = state.listed
        try forget(listed.source)
        try db.write(
            "INSERT INTO fetches (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            [
                .text(listed.source), .text(listed.url), .text(listed.format), .bits(listed.attempted),
                .bits(listed.succeeded), .bits(listed.attempts), .bits(listed.failures), .bits(state.lease),
                .blob(try listed.outcome.serializedBytes()), .text(state.successURL), .text(state.successFormat),
            ])
    }

    func forget(_ source: String) throws { try db.write("DELETE FROM fetches WHERE source = $1", [.text(source)]) }

    /// Returns all states, in the order of their sources' names.
    func all() throws -> [FetchState] {
        try db.values("SELECT \(Self.columns) FROM fetches ORDER BY source", read: Self.state)
    }

    private static func state(_ row: any StoredRow) throws -> FetchState {
        let outcome: WireFetchOutcome
        do { outcome = try WireFetchOutcome(serializedBytes: row.bytes(8)) } catch {
            throw EngineError.corrupted("the outcome of a fetch cannot be read")
        }
        let listed = try WireSourceState.with {
            ($0.source, $0.url, $0.format) = (try row.text(0), try row.text(1), try row.text(2))
            ($0.attempted, $0.succeeded) = (try row.bits(3), try row.bits(4))
            ($0.attempts, $0.failures, $0.outcome) = (try row.bits(5), try row.bits(6), outcome)
        }
        return FetchState(
            listed: listed, lease: try row.bits(7), successURL: try row.text(9), successFormat: try row.text(10))
    }
}
