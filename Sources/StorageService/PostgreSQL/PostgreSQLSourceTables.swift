// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import PostgreSQL
import SwiftProtobuf
import WaymarkProtocol

/// The rows of sources of the working set.
struct PostgreSQLSourceTable: SourceTable {
    let set: WorkingSet

    func find(_ key: SourceKey) throws -> SourceRow? {
        if let known = set.sources.known(key) { return known }
        let found = try set.connection.first(
            "SELECT landmark, draft FROM source_rows WHERE source = $1 AND key = $2", [.text(key.name), .text(key.key)]
        ) { row in try WorkingSet.sourceRow(row, 0) }
        set.sources.read(key, found)
        return found
    }

    func insert(_ key: SourceKey, landmark: Landmark.ID, draft: [UInt8]) {
        set.sources.insert(key, SourceRow(landmark: landmark.high, draft: draft))
    }

    func update(_ key: SourceKey, draft: [UInt8]) throws {
        guard var row = try find(key) else { return }
        row.draft = draft
        set.sources.update(key, row)
    }

    func orphan(_ key: SourceKey) throws {
        guard var row = try find(key) else { return }
        row.landmark = nil
        set.sources.update(key, row)
    }

    func rename(_ key: SourceKey, to new: String) throws {
        guard let row = try find(key) else { return }
        let renamed = SourceKey(name: key.name, key: new)
        guard try find(renamed) == nil else { throw EngineError.corrupted("row \(new) of \(key.name) is there twice") }
        set.sources.delete(key)
        set.sources.insert(renamed, row)
    }

    func delete(_ key: SourceKey) { set.sources.delete(key) }

    func hasRows(of source: String) throws -> Bool {
        try set.settle()
        return try set.run("SELECT 1 FROM source_rows WHERE source = $1 LIMIT 1", [.text(source)]).count > 0
    }
}

/// The states of fetches. They change some times a minute, so each is a statement of its own.
struct PostgreSQLFetchTable: FetchTable {
    static let columns =
        "source, url, format, attempted, succeeded, attempts, failures, lease, outcome, success_url, success_format"

    let set: WorkingSet

    func find(_ source: String) throws -> FetchState? {
        try set.run("SELECT \(Self.columns) FROM fetches WHERE source = $1", [.text(source)]).first.map(Self.state)
    }

    func store(_ state: FetchState) throws {
        try set.run("DELETE FROM fetches WHERE source = $1", [.text(state.source)])
        try set.run(
            "INSERT INTO fetches (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            [
                .text(state.source), .text(state.url), .text(state.format), .bits(state.attempted),
                .bits(state.succeeded), .bits(state.attempts), .bits(state.failures), .bits(state.lease),
                .bytea(try state.outcome.serializedBytes()), .text(state.successURL), .text(state.successFormat),
            ])
    }

    func forget(_ source: String) throws {
        try set.run("DELETE FROM fetches WHERE source = $1", [.text(source)])
    }

    static func state(_ row: Row) throws -> FetchState {
        let outcome: WireFetchOutcome
        do { outcome = try WireFetchOutcome(serializedBytes: row.bytes(8)) } catch {
            throw EngineError.corrupted("the outcome of a fetch cannot be read")
        }
        return FetchState(
            source: try row.text(0), url: try row.text(1), format: try row.text(2), attempted: try row.bits(3),
            succeeded: try row.bits(4), attempts: try row.bits(5), failures: try row.bits(6), lease: try row.bits(7),
            outcome: outcome, successURL: try row.text(9), successFormat: try row.text(10))
    }
}
