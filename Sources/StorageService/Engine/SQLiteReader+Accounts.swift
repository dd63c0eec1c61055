// SPDX-License-Identifier: Apache-2.0

import SQLite
import WaymarkProtocol
import ZeroMQ

extension SQLiteReader {
    func account(named name: String) async throws(EngineError) -> StoredAccount? {
        try await log.read { db in try SQLiteAccountTable.find(db, named: name) }
    }

    func account(_ number: UInt64) async throws(EngineError) -> StoredAccount? {
        try await log.read { db in try SQLiteAccountTable.find(db, number) }
    }

    func accounts(after number: UInt64, limit: Int, now: UInt64) async throws(EngineError) -> WireAccountList {
        try await log.read { db in
            let found = try SQLiteAccountTable.all(db, after: number, limit: limit + 1)
            var list = WireAccountList()
            list.more = found.count > limit
            for stored in found.prefix(limit) {
                var info = WireAccountInfo(stored)
                info.keys = UInt32(try SQLiteAccountTable.usableKeys(db, of: stored.account.number, now: now))
                info.invitedUntil = try SQLiteInvitationTable.expires(db, of: stored.account.number) ?? 0
                list.accounts.append(info)
            }
            return list
        }
    }

    func keys(of account: UInt64) async throws(EngineError) -> [WireKeyInfo] {
        try await log.read { db in try SQLiteAccountTable.keys(db, of: account, limit: WaymarkProtocol.pageRows) }
    }

    func key(_ key: CurveKey) async throws(EngineError) -> (account: UInt64, info: WireKeyInfo)? {
        try await log.read { db in try SQLiteAccountTable.key(db, key) }
    }

    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) async throws(EngineError) -> Bool {
        try await log.read { db in try SQLiteInvitationTable.isValid(db, digest, for: account, now: now) }
    }

    func audit(before id: UInt64, limit: Int) async throws(EngineError) -> WireAuditPage {
        try await log.read { db in try SQLiteAuditTable.page(db, before: id, limit: limit) }
    }

    func accountNews(since revision: UInt64) async throws(EngineError) -> AccountNews {
        try await log.read { db in try SQLiteAccountTable.news(db, since: revision) }
    }
}
