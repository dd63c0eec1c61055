// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

extension EngineReader {
    func account(named name: String) async throws(EngineError) -> StoredAccount? {
        try await log.read { tables in try tables.account(named: name) }
    }

    func account(_ number: UInt64) async throws(EngineError) -> StoredAccount? {
        try await log.read { tables in try tables.account(number) }
    }

    func accounts(after number: UInt64, limit: Int, now: UInt64) async throws(EngineError) -> WireAccountList {
        try await log.read { tables in
            let found = try tables.accounts(after: number, limit: limit + 1)
            var list = WireAccountList()
            list.more = found.count > limit
            for stored in found.prefix(limit) {
                var info = WireAccountInfo(stored)
                info.keys = UInt32(try tables.usableKeys(of: stored.account.number, now: now))
                info.invitedUntil = try tables.invitationExpires(of: stored.account.number) ?? 0
                list.accounts.append(info)
            }
            return list
        }
    }

    func keys(of account: UInt64) async throws(EngineError) -> [WireKeyInfo] {
        try await log.read { tables in try tables.keys(of: account, limit: WaymarkProtocol.pageRows) }
    }

    func key(_ key: CurveKey) async throws(EngineError) -> (account: UInt64, info: WireKeyInfo)? {
        try await log.read { tables in try tables.key(key) }
    }

    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) async throws(EngineError) -> Bool {
        try await log.read { tables in try tables.isInvited(account, digest, now: now) }
    }

    func audit(before id: UInt64, limit: Int) async throws(EngineError) -> WireAuditPage {
        try await log.read { tables in
            let found = try tables.audit(before: id, limit: limit + 1)
            return .with {
                $0.entries = Array(found.prefix(limit))
                $0.more = found.count > limit
            }
        }
    }

    func accountNews(since revision: UInt64, limit: Int) async throws(EngineError) -> AccountNews {
        try await log.read { tables in try tables.accountNews(since: revision, limit: limit) }
    }
}
