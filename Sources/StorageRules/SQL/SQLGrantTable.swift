// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

struct SQLGrantTable: GrantTable {
    let db: any SQLSession

    func grant(_ digest: [UInt8]) throws -> WireGrant? {
        try db.value("SELECT record FROM grants WHERE digest = $1", [.blob(digest)], read: Self.decoded)
    }

    func grantCounts(of account: UInt64) throws -> (own: Int, moving: Int) {
        (
            try db.count("SELECT count(*) FROM grants WHERE account = $1", [.bits(account)]),
            try db.count(
                "SELECT count(*) FROM grants WHERE account = $1 AND kind = $2",
                [.bits(account), .int(WireGrantKind.move.rawValue)])
        )
    }

    func grantCount() throws -> Int { try db.count("SELECT count(*) FROM grants") }

    func insert(_ grant: WireGrant) throws {
        try db.write(
            """
            INSERT INTO grants (digest, kind, account, "user", landmark, made, expires, record)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .blob([UInt8](grant.digest)), .int(grant.kind.rawValue), .bits(grant.account), .text(grant.user),
                .bits(UUIDv7(bytes: grant.landmark)?.high ?? 0), .bits(grant.made), .bits(grant.expires),
                .blob(try grant.serializedBytes()),
            ])
    }

    func update(_ grant: WireGrant) throws {
        try db.write(
            "UPDATE grants SET record = $1 WHERE digest = $2",
            [.blob(try grant.serializedBytes()), .blob([UInt8](grant.digest))])
    }

    func delete(grant digest: [UInt8]) throws {
        try db.write("DELETE FROM grants WHERE digest = $1", [.blob(digest)])
    }

    func deleteGrants(ofAccount account: UInt64) throws {
        try db.write("DELETE FROM grants WHERE account = $1", [.bits(account)])
    }

    func deleteGrants(ofLandmark key: UInt64) throws {
        try db.write("DELETE FROM grants WHERE landmark = $1", [.bits(key)])
    }

    func deleteGrants(expiredBefore time: UInt64) throws {
        try db.write("DELETE FROM grants WHERE expires > 0 AND expires <= $1", [.bits(time)])
    }

    /// Calls `body` for the grants with digests after `digest`, in the order of their digests, until it returns false.
    ///
    /// - Parameter owner: only grants of this account and, if that is 0, of this user; nil for everybody's.
    func grants(
        after digest: [UInt8], of owner: Asker?, _ body: (WireGrant) throws -> Bool
    ) throws {
        let own = owner == nil ? "" : "AND account = $2 AND (account > 0 OR \"user\" = $3)"
        let values: [StoredValue] = owner.map { [.bits($0.account), .text($0.user)] } ?? []
        try db.forEach("SELECT record FROM grants WHERE digest > $1 \(own) ORDER BY digest", [.blob(digest)] + values) {
            row in try body(try Self.decoded(row))
        }
    }

    private static func decoded(_ row: any StoredRow) throws -> WireGrant {
        do { return try WireGrant(serializedBytes: try row.bytes(0)) } catch {
            throw EngineError.corrupted("a grant cannot be read")
        }
    }

    // MARK: Ends of landmarks

    func insert(expiry time: UInt64, of landmark: UInt64) throws {
        try db.write("INSERT INTO expiries (landmark, at) VALUES ($1, $2)", [.bits(landmark), .bits(time)])
    }

    func delete(expiryOf landmark: UInt64) throws {
        try db.write("DELETE FROM expiries WHERE landmark = $1", [.bits(landmark)])
    }

    func expired(at now: UInt64, limit: Int) throws -> [UInt64] {
        try db.values(
            "SELECT landmark FROM expiries WHERE at <= $1 ORDER BY at, landmark LIMIT $2", [.bits(now), .int(limit)]
        ) { row in try row.bits(0) }
    }

    func attachedLandmarks() throws -> [UInt64] {
        let all = "SELECT landmark FROM grants WHERE landmark > 0 UNION SELECT landmark FROM expiries"
        return try db.values(all) { row in try row.bits(0) }
    }
}
