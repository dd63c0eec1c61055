// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkProtocol

package struct SQLFenceTable: FenceTable {
    private static let columns = "name, account, \"user\", filter, created, rev, private"

    let db: any SQLSession

    func find(fence name: String) throws -> WireFence? {
        try fences("name = $1", [.text(name)]).first
    }

    func fenceCounts(of account: UInt64) throws -> (own: Int, all: Int) {
        (
            try db.count("SELECT count(*) FROM fences WHERE account = $1", [.bits(account)]),
            try db.count("SELECT count(*) FROM fences")
        )
    }

    func privateFences() throws -> [WireFence] { try fences("private = 1") }

    func insert(_ fence: WireFence) throws {
        try db.write(
            "INSERT INTO fences (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            [
                .text(fence.name), .bits(fence.account), .text(fence.user), .blob([UInt8](fence.filter)),
                .bits(fence.created), .bits(fence.rev), .integer(fence.isPrivate ? 1 : 0),
            ])
    }

    func delete(fence name: String) throws { try db.write("DELETE FROM fences WHERE name = $1", [.text(name)]) }

    /// Returns the fences with names after `name`, in the order of their names' bytes.
    ///
    /// - Parameter owner: whose private fences are among them; nil for everybody's.
    func fences(after name: String, limit: Int, seenBy owner: Asker?) throws -> [WireFence] {
        let seen = owner == nil ? "" : "AND (private = 0 OR account = $2 AND (account > 0 OR \"user\" = $3))"
        let own: [StoredValue] = owner.map { [.bits($0.account), .text($0.user)] } ?? []
        return try fences(
            "name > $1 \(seen) ORDER BY name LIMIT $\(own.count + 2)", [.text(name)] + own + [.int(limit)])
    }

    private func fences(_ condition: String, _ values: [StoredValue] = []) throws -> [WireFence] {
        try db.values("SELECT id, \(Self.columns) FROM fences WHERE \(condition)", values) { row in
            var fence = WireFence()
            (fence.id, fence.name, fence.account) = (try row.bits(0), try row.text(1), try row.bits(2))
            (fence.user, fence.filter) = (try row.text(3), try row.data(4))
            (fence.created, fence.rev) = (try row.bits(5), try row.bits(6))
            fence.isPrivate = try row.bits(7) > 0
            return fence
        }
    }
}
