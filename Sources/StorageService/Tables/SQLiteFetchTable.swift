// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SQLite
import SwiftProtobuf
import WaymarkProtocol

/// The state of all fetches. Changing it makes no revision.
struct SQLiteFetchTable: FetchTable {
    private static let columns =
        "source, url, format, attempted, succeeded, attempts, failures, lease, outcome, success_url, success_format"
    private let select: Statement
    private let replace: Statement
    private let delete: Statement

    init(_ db: Database) throws {
        delete = try db.makeStatement(sql: "DELETE FROM fetches WHERE source = ?")
        select = try db.makeStatement(sql: "SELECT \(Self.columns) FROM fetches WHERE source = ?")
        replace = try db.makeStatement(
            sql: "INSERT OR REPLACE INTO fetches (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    func find(_ source: String) throws -> FetchState? {
        try select.first(source, read: Self.state)
    }

    func store(_ state: FetchState) throws {
        let outcome: [UInt8] = try state.outcome.serializedBytes()
        try replace.run(
            state.source, state.url, state.format, state.attempted.bits,
            state.succeeded.bits, state.attempts.bits, state.failures.bits, state.lease.bits, outcome,
            state.successURL, state.successFormat)
    }

    func forget(_ source: String) throws { try delete.run(source) }

    static func all(_ db: Database) throws -> [FetchState] {
        var states: [FetchState] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT \(columns) FROM fetches ORDER BY source")
        while let row = try rows.next() { states.append(try state(row)) }
        return states
    }

    private static func state(_ row: Row) throws -> FetchState {
        FetchState(
            source: try row.text(0), url: try row.text(1), format: try row.text(2), attempted: try row.bits(3),
            succeeded: try row.bits(4), attempts: try row.bits(5), failures: try row.bits(6), lease: try row.bits(7),
            outcome: try outcome(row.data(8)), successURL: try row.text(9), successFormat: try row.text(10))
    }

    private static func outcome(_ bytes: Data) throws(EngineError) -> WireFetchOutcome {
        do {
            return try WireFetchOutcome(serializedBytes: bytes)
        } catch {
            throw .corrupted("the outcome of a fetch cannot be read")
        }
    }
}
