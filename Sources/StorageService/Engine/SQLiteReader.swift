// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SQLite
import SwiftProtobuf
import WaymarkProtocol

/// The reads of the embedded engine, on connections that cannot write.
struct SQLiteReader: StorageReader {
    let log: SQLiteLog
    let index: SearchIndex
    let copier: DatabaseCopier

    func changes(
        since rev: UInt64, run: UUIDv7?, matching filter: FeedFilter, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> ChangeLogPage {
        try await log.changes(since: rev, run: run, matching: filter, limit: limit, maxBytes: maxBytes)
    }

    func locate(before time: UInt64) async throws(EngineError) -> LocatedRevision { try await log.locate(before: time) }

    func snapshot(
        after: Landmark.ID?, matching filter: FeedFilter, limit: Int, maxBytes: Int
    ) async throws(EngineError) -> RecordPage {
        try await log.snapshot(after: after, matching: filter, limit: limit, maxBytes: maxBytes)
    }

    func show(_ id: Landmark.ID, historyLimit: Int) async throws(EngineError) -> RecordWithHistory {
        try await log.read { db in
            let record = try db.cachedStatement(sql: "SELECT record FROM landmarks WHERE key = ? AND low = ?")
                .first(id.high.bits, id.low.bits) { row in try row.data(0) }
            guard let record else { throw EngineError.notFound }
            var shown = RecordWithHistory(record: record, history: [], isCut: false)
            var rev = try StoredLandmark(record: record).landmark.rev
            let statement = try db.cachedStatement(
                sql: "SELECT previous, at, operation, version, user FROM changes WHERE rev = ?")
            while rev > 0, shown.history.count < historyLimit {
                let previous = try statement.first(rev.bits) { row in
                    shown.history.append(try Self.entry(rev, row))
                    return try row.bits(0)
                }
                guard let previous else {
                    shown.isCut = true
                    break
                }
                rev = previous
            }
            return shown
        }
    }

    func track(
        _ id: Landmark.ID, since: UInt64, after rev: UInt64, limit: Int
    ) async throws(EngineError) -> TrackPage {
        try await log.read { db in
            let isThere = try db.cachedStatement(sql: "SELECT 1 FROM landmarks WHERE key = ? AND low = ?")
                .first(id.high.bits, id.low.bits) { _ in true }
            guard isThere == true else { throw EngineError.notFound }
            return try SQLiteTrackTable.page(db, id, since: since, after: rev, limit: limit)
        }
    }

    private static func entry(_ rev: UInt64, _ row: Row) throws -> WireReadyHistoryEntry {
        var entry = WireReadyHistoryEntry()
        entry.rev = rev
        entry.at = try row.bits(1)
        entry.operation = UInt32(clamping: try row.bits(2))
        entry.version = try row.bits(3)
        entry.user = try row.text(4)
        return entry
    }

    func search(
        _ text: SearchText, limit: Int, filter: LandmarkFilter, atLeast revision: UInt64
    ) async throws(EngineError) -> SearchResult {
        let found = try await index.search(text, limit: limit, filter: filter, atLeast: revision)
        var matches = try await log.records(found.ids)
        if !filter.isEmpty {
            // Matches are filtered by their present state, because the index may be some revisions behind.
            var matching: [SearchResult.Match] = []
            for match in matches where filter.matches(try StoredLandmark(record: match.record).landmark) {
                matching.append(match)
            }
            matches = matching
        }
        return SearchResult(matches: matches, searchedThrough: found.rev, isTruncated: found.isTruncated)
    }

    func searched(through revision: UInt64) async throws(EngineError) { try await index.reach(revision) }

    func sources() async throws(EngineError) -> [WireSourceState] {
        try await log.read { db in
            var sources: [String: WireSourceState] = [:]
            for state in try SQLiteFetchTable.all(db) { sources[state.source] = WireSourceState(state) }
            let counts = try Row.fetchCursor(
                db, sql: "SELECT source, count(landmark) FROM source_rows GROUP BY source")
            while let row = try counts.next() {
                let name = try row.text(0)
                sources[name, default: .with { $0.source = name }].landmarks = try row.bits(1)
            }
            return Array(sources.values.sorted { $0.source < $1.source }.prefix(WaymarkProtocol.pageRows))
        }
    }

    func sourceKeys(_ source: String, after: String, limit: Int) async throws(EngineError) -> SourceKeyPage {
        try await log.read { db in
            let limit = max(1, limit)
            let statement = try db.cachedStatement(
                sql: "SELECT key FROM source_rows WHERE source = ? AND key > ? ORDER BY key LIMIT ?")
            let rows = try Row.fetchCursor(statement, arguments: [source, after, limit + 1])
            var page = SourceKeyPage(keys: [], hasMore: false)
            var bytes = 0
            while let row = try rows.next() {
                let key = try row.text(0)
                bytes += key.utf8.count
                if page.keys.count == limit || (bytes > WaymarkProtocol.pageBytes && !page.keys.isEmpty) {
                    page.hasMore = true
                    break
                }
                page.keys.append(key)
            }
            return page
        }
    }

    func copy() async throws(EngineError) -> DatabaseCopy { try await copier.copy() }

    func numbers() async throws(EngineError) -> StorageNumbers {
        let searchRev = try await index.reached().rev
        return try await log.read { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
            return StorageNumbers(
                landmarks: try SQLiteChangeTable.head(db).landmarks, databaseBytes: UInt64(clamping: pages * size),
                searchRev: searchRev)
        }
    }
}

extension WireSourceState {
    init(_ state: FetchState) {
        self.init()
        source = state.source
        url = String(state.url.prefix(Self.textCharacters))
        format = String(state.format.prefix(Self.textCharacters))
        attempted = state.attempted
        succeeded = state.succeeded
        attempts = state.attempts
        failures = state.failures
        outcome = state.outcome
        outcome.error = String(outcome.error.prefix(Self.textCharacters))
        outcome.format = String(outcome.format.prefix(Self.textCharacters))
    }

    /// The most characters of a text that is only displayed: the list of all sources must fit into one answer.
    private static let textCharacters = 256
}
