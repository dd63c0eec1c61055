// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// The asker of a read, as far as an answer depends on it.
package struct Asker: Sendable {
    /// The number of the account; 0 without accounts, and for storage's machine.
    var account: UInt64
    /// The claimed name, which counts only without accounts.
    var user: String

    package init(account: UInt64, user: String) {
        // PostgreSQL takes no NUL character, and no stored name has one.
        (self.account, self.user) = (account, String(user.prefix { $0 != "\0" }))
    }
}

extension StorageReader {
    /// Returns the grants that the asker may end, in the order of their digests.
    package func grants(
        _ request: WireListGrants, by asker: Asker, limit: Int, now: UInt64
    ) async throws(EngineError) -> WireGrants {
        try await read { tables in
            var page = RowPage<WireGrant>(limit: limit)
            let owner = try tables.may(.share, asker) ? nil : asker
            try tables.grants.grants(after: [UInt8](request.after.prefix(32)), of: owner) { grant in
                guard grant.isUsable(at: now), request.kind == .unspecified || request.kind == grant.kind else {
                    return true
                }
                return page.take(grant, bytes: 512 + grant.filter.count)
            }
            return .with { ($0.grants, $0.more) = (page.rows, page.hasMore) }
        }
    }

    /// Returns the grant of a secret, and for a link everybody's private zones; nothing if there is no grant, or if it
    /// has ended.
    package func findGrant(_ digest: Data, now: UInt64) async throws(EngineError) -> WireGrants {
        try await read { tables in
            guard let grant = try tables.grants.grant([UInt8](digest.prefix(32))), grant.isUsable(at: now) else {
                return WireGrants()
            }
            if grant.account > 0 {
                let owner = try tables.accounts.find(grant.account)?.account
                guard let owner, !owner.isEnded, AccessRule.allows(owner.role, .share) else { return WireGrants() }
            }
            return try .with {
                $0.grants = [grant]
                if grant.kind == .see { $0.zones = try tables.zones() }
            }
        }
    }
}

extension ReadTables {
    /// Returns the encoded filters of all private fences, each for the landmarks of its owner alone.
    fileprivate func zones() throws -> [Data] {
        try fences.privateFences().compactMap { fence in
            let owner = fence.account == 0 ? fence.user : try accounts.find(fence.account)?.account.name
            guard let owner, var filter = try? WireFeedFilter(serializedBytes: fence.filter),
                filter.users.isEmpty || filter.users.contains(owner)
            else { return nil }
            filter.users = [owner]
            return try filter.serializedData()
        }
    }

    /// Whether the asker may also see and change what belongs to others. Storage's machine may; without accounts, only
    /// what was made under the asker's name is shown.
    func may(_ permission: Permission, _ asker: Asker) throws -> Bool {
        guard asker.account > 0 else { return asker.user.isEmpty }
        guard let role = try accounts.find(asker.account)?.account.role else { return false }
        return AccessRule.allows(role, permission, on: .others)
    }

    /// Whether the asker may see a fence. A private one tells where its owner lives.
    func sees(_ fence: WireFence, _ asker: Asker) throws -> Bool {
        guard fence.isPrivate else { return true }
        let isOwn = fence.account == asker.account && (fence.account > 0 || fence.user == asker.user)
        return try isOwn || may(.fence, asker)
    }
}
