// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// Where in the history each run of storage began: what tells a position of this history from one of a copy of the
/// database that went on elsewhere.
enum RunTable {
    /// More starts than this ago, and a run is not known any more: its positions count as of another history.
    private static let kept: Int64 = 100_000

    /// Writes down that `run` begins after the newest revision.
    static func begin(_ db: Database, _ run: UUIDv7) throws {
        let first = try ChangeTable.head(db).rev + 1
        try db.execute(
            sql: "INSERT INTO runs (run_high, run_low, first) VALUES (?, ?, ?)",
            arguments: [run.high.bits, run.low.bits, first.bits])
        try db.execute(sql: "DELETE FROM runs WHERE id <= ?", arguments: [db.lastInsertedRowID - kept])
    }

    /// The newest; nil in a database that no run has opened yet.
    static func last(_ db: Database) throws -> UUIDv7? {
        try db.makeStatement(sql: "SELECT run_high, run_low FROM runs ORDER BY id DESC LIMIT 1").first { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
    }

    /// Whether `run`, as this history has it, can have told of `rev`: it is known here, and the next one began later.
    static func told(_ db: Database, _ run: UUIDv7, of rev: UInt64) throws -> Bool {
        let known = try db.cachedStatement(sql: "SELECT id FROM runs WHERE run_high = ? AND run_low = ?")
            .first(run.high.bits, run.low.bits) { row in try row.bits(0) }
        guard let known else { return false }
        let next = try db.cachedStatement(sql: "SELECT first FROM runs WHERE id > ? ORDER BY id LIMIT 1")
            .first(known.bits) { row in try row.bits(0) }
        return next.map { $0 > rev } ?? true
    }
}
