// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol
import ZeroMQ

extension StorageReader {
    /// - Throws: ``EngineError/notFound``, also for a landmark that was removed.
    func show(_ id: Landmark.ID, historyLimit: Int) async throws(EngineError) -> WireReadyShown {
        try await read { tables in
            guard let record = try tables.record(id) else { throw EngineError.notFound }
            let rev = try StoredLandmark(record: record).landmark.rev
            let (entries, isCut) = try tables.history(from: rev, limit: historyLimit)
            return .with { ($0.landmark, $0.history, $0.historyCut) = (record, entries, isCut) }
        }
    }

    func sources() async throws(EngineError) -> [WireSourceState] {
        try await read { tables in
            var sources: [String: WireSourceState] = [:]
            for state in try tables.fetches.all() { sources[state.source] = WireSourceState(state) }
            for (name, count) in try tables.sourceCounts() {
                sources[name, default: .with { $0.source = name }].landmarks = count
            }
            return Array(sources.values.sorted { $0.source < $1.source }.prefix(WaymarkProtocol.pageRows))
        }
    }

    /// The keys of the rows of `source`, in order, including those of landmarks that people have removed.
    func sourceKeys(_ source: String, after: String, limit: Int) async throws(EngineError) -> WireSourceKeysPage {
        try await read { tables in
            let limit = max(1, limit)
            var page = WireSourceKeysPage()
            var bytes = 0
            for key in try tables.sourceKeys(source, after: after, limit: limit + 1) {
                bytes += key.utf8.count
                if page.keys.count == limit || (bytes > WaymarkProtocol.pageBytes && !page.keys.isEmpty) {
                    page.more = true
                    break
                }
                page.keys.append(key)
            }
            return page
        }
    }

    func numbers() async throws(EngineError) -> StorageNumbers {
        try await read { tables in
            StorageNumbers(landmarks: try tables.head().landmarks, databaseBytes: try tables.databaseBytes())
        }
    }

    // MARK: Accounts

    /// Nil if there is none with this name.
    func account(named name: String) async throws(EngineError) -> StoredAccount? {
        try await read { tables in try tables.accounts.find(named: name) }
    }

    func account(_ number: UInt64) async throws(EngineError) -> StoredAccount? {
        try await read { tables in try tables.accounts.find(number) }
    }

    /// In the order of their numbers, with the number of their usable keys.
    func accounts(after number: UInt64, limit: Int, now: UInt64) async throws(EngineError) -> WireAccountList {
        try await read { tables in
            let found = try tables.accounts.all(after: number, limit: limit + 1)
            var list = WireAccountList()
            list.more = found.count > limit
            for stored in found.prefix(limit) {
                var info = WireAccountInfo(stored)
                info.keys = UInt32(try tables.accounts.usableKeys(of: stored.account.number, now: now))
                info.invitedUntil = try tables.invitations.expires(of: stored.account.number) ?? 0
                list.accounts.append(info)
            }
            return list
        }
    }

    /// Newest first.
    func keys(of account: UInt64) async throws(EngineError) -> [WireKeyInfo] {
        try await read { tables in try tables.accounts.keys(of: account, limit: WaymarkProtocol.pageRows) }
    }

    func key(_ key: CurveKey) async throws(EngineError) -> (account: UInt64, info: WireKeyInfo)? {
        try await read { tables in try tables.accounts.key(key) }
    }

    /// Whether an invitation with this digest waits for the account.
    func isInvited(_ account: UInt64, _ digest: [UInt8], now: UInt64) async throws(EngineError) -> Bool {
        try await read { tables in try tables.invitations.isValid(digest, for: account, now: now) }
    }

    /// Newest first; entries with a smaller id, 0: all.
    func audit(before id: UInt64, limit: Int) async throws(EngineError) -> WireAuditPage {
        try await read { tables in
            let found = try tables.audit.entries(before: id, limit: limit + 1)
            return .with {
                $0.entries = Array(found.prefix(limit))
                $0.more = found.count > limit
            }
        }
    }

    /// The accounts and keys that changed after a revision of theirs, in its order, about `limit` of them: all of the last
    /// revision.
    func accountNews(since revision: UInt64, limit: Int) async throws(EngineError) -> AccountNews {
        try await read { tables in try tables.accounts.news(since: revision, limit: limit) }
    }

    /// Whether landmarks wait to be given another owner, or the owner's new name.
    func hasOwnerTask() async throws(EngineError) -> Bool {
        try await read { tables in try tables.owners.first() != nil }
    }
}

extension WireSourceState {
    init(_ state: FetchState) {
        self.init()
        source = state.source
        url = Self.cut(state.url)
        format = Self.cut(state.format)
        attempted = state.attempted
        succeeded = state.succeeded
        attempts = state.attempts
        failures = state.failures
        outcome = state.outcome
        outcome.error = Self.cut(outcome.error)
        outcome.format = Self.cut(outcome.format)
        outcome.etag = Self.cut(outcome.etag)
        outcome.lastModified = Self.cut(outcome.lastModified)
    }

    /// A text as it is displayed, in bytes that are few enough for the list of all sources to fit into one answer.
    private static func cut(_ text: String) -> String { String(decoding: text.utf8.prefix(512), as: UTF8.self) }
}
