// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

extension StorageReader {
    /// - Throws: ``EngineError/notFound`` if the landmark never existed or was removed.
    package func show(_ id: Landmark.ID, historyLimit: Int) async throws(EngineError) -> WireRawShown {
        try await read { tables in
            guard let record = try tables.record(id) else { throw EngineError.notFound }
            let rev = try StoredLandmark(record: record).landmark.rev
            let (entries, isCut) = try tables.history(from: rev, limit: historyLimit)
            return .with { ($0.landmark, $0.history, $0.historyCut) = (record, entries, isCut) }
        }
    }

    package func sources() async throws(EngineError) -> [WireSourceState] {
        try await read { tables in
            var sources: [String: WireSourceState] = [:]
            for state in try tables.fetches.all() { sources[state.listed.source] = state.listed.shortened }
            for (name, count) in try tables.sourceCounts() {
                sources[name, default: .with { $0.source = name }].landmarks = count
            }
            return Array(sources.values.sorted { $0.source < $1.source }.prefix(WaymarkProtocol.pageRows))
        }
    }

    /// Returns the keys of the rows of `source` in order, including rows whose landmark a person has removed.
    package func sourceKeys(
        _ source: String, after: String, limit: Int
    ) async throws(EngineError) -> WireSourceKeysPage {
        try await read { tables in
            let limit = max(1, limit)
            var page = RowPage<String>(limit: limit)
            for key in try tables.sourceKeys(source, after: after, limit: limit + 1) {
                guard page.take(key, bytes: key.utf8.count) else { break }
            }
            return .with { ($0.keys, $0.more) = (page.rows, page.hasMore) }
        }
    }

    package func numbers() async throws(EngineError) -> (landmarks: UInt64, databaseBytes: UInt64) {
        try await read { tables in (try tables.head().landmarks, try tables.databaseBytes()) }
    }
}

extension ReadTables {
    /// Returns accounts in the order of their numbers, each with the number of its usable keys.
    package func accountList(after number: UInt64, limit: Int, now: UInt64) throws -> WireAccountList {
        let found = try accounts.all(after: number, limit: limit + 1)
        var list = WireAccountList()
        list.more = found.count > limit
        for stored in found.prefix(limit) {
            var info = WireAccountInfo(stored)
            info.keys = UInt32(try accounts.usableKeys(of: stored.account.number, now: now))
            info.invitedUntil = try accounts.invitationEnd(of: stored.account.number) ?? 0
            list.accounts.append(info)
        }
        return list
    }

    /// Returns the audit entries with ids below `id`, newest first; all entries if `id` is 0.
    package func auditPage(before id: UInt64, limit: Int) throws -> WireAuditPage {
        let found = try audit.entries(before: id, limit: limit + 1)
        return .with {
            $0.entries = Array(found.prefix(limit))
            $0.more = found.count > limit
        }
    }
}

extension WireSourceState {
    /// A copy with shortened URL and format, so that the list of all sources fits into one answer.
    fileprivate var shortened: WireSourceState {
        func cut(_ text: String) -> String { String(decoding: text.utf8.prefix(512), as: UTF8.self) }
        var short = self
        (short.url, short.format) = (cut(url), cut(format))
        short.outcome.error = cut(outcome.error)
        short.outcome.format = cut(outcome.format)
        short.outcome.etag = cut(outcome.etag)
        short.outcome.lastModified = cut(outcome.lastModified)
        return short
    }
}
