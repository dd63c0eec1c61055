// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// The reads of an engine, whichever it is.
struct EngineReader: StorageReader {
    let log: LogReader
    let index: SearchIndex
    let copier: any DatabaseCopying

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
        try await log.read { tables in
            guard let record = try tables.record(id) else { throw EngineError.notFound }
            let rev = try StoredLandmark(record: record).landmark.rev
            let (entries, isCut) = try tables.history(from: rev, limit: historyLimit)
            return RecordWithHistory(record: record, history: entries, isCut: isCut)
        }
    }

    func track(
        _ id: Landmark.ID, since: UInt64, after rev: UInt64, limit: Int
    ) async throws(EngineError) -> TrackPage {
        try await log.track(id, since: since, after: rev, limit: limit)
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
        try await log.read { tables in
            var sources: [String: WireSourceState] = [:]
            for state in try tables.fetchStates() { sources[state.source] = WireSourceState(state) }
            for (name, count) in try tables.sourceCounts() {
                sources[name, default: .with { $0.source = name }].landmarks = count
            }
            return Array(sources.values.sorted { $0.source < $1.source }.prefix(WaymarkProtocol.pageRows))
        }
    }

    func sourceKeys(_ source: String, after: String, limit: Int) async throws(EngineError) -> SourceKeyPage {
        try await log.read { tables in
            let limit = max(1, limit)
            var page = SourceKeyPage(keys: [], hasMore: false)
            var bytes = 0
            for key in try tables.sourceKeys(source, after: after, limit: limit + 1) {
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
        return try await log.read { tables in
            StorageNumbers(
                landmarks: try tables.head().landmarks, databaseBytes: try tables.databaseBytes(), searchRev: searchRev)
        }
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
