// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The revision at which each run of storage began. It tells a position of this history from a position of a copy of the
/// database that was used elsewhere.
enum RunTable {
    /// The number of runs that are kept. Positions of older runs count as positions of another history.
    static let kept: Int64 = 100_000

    /// Records that `run` begins after the newest revision.
    static func begin(_ db: Database, _ run: UUIDv7) throws {
        let first = try SQLiteChangeTable.head(db).rev + 1
        try db.execute(
            sql: "INSERT INTO runs (run_high, run_low, first) VALUES (?, ?, ?)",
            arguments: [run.high.bits, run.low.bits, first.bits])
        try db.execute(sql: "DELETE FROM runs WHERE id <= ?", arguments: [db.lastInsertedRowID - kept])
    }

    /// The newest run; nil in a database that no run has opened yet.
    static func last(_ db: Database) throws -> UUIDv7? {
        try db.makeStatement(sql: "SELECT run_high, run_low FROM runs ORDER BY id DESC LIMIT 1").first { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
    }

    static func follower(of run: UUIDv7, _ db: Database) throws -> (isKnown: Bool, first: UInt64?) {
        let known = try db.cachedStatement(sql: "SELECT id FROM runs WHERE run_high = ? AND run_low = ?")
            .first(run.high.bits, run.low.bits) { row in try row.bits(0) }
        guard let known else { return (false, nil) }
        let next = try db.cachedStatement(sql: "SELECT first FROM runs WHERE id > ? ORDER BY id LIMIT 1")
            .first(known.bits) { row in try row.bits(0) }
        return (true, next)
    }
}
