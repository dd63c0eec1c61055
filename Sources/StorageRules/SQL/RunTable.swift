// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The revision at which each run of storage began. It shows whether a position belongs to this history or to a copy of
/// the database that was used elsewhere.
package struct RunTable {
    /// The number of runs that are kept. A position of an older run counts as a position of another history.
    static let kept: Int64 = 100_000

    private let db: any SQLSession

    package init(_ db: any SQLSession) { self.db = db }

    /// Records that `run` begins at revision `first`. An interrupted attempt may have recorded it already.
    package func begin(_ run: UUIDv7, at first: UInt64) throws {
        let run = [StoredValue.bits(run.high), .bits(run.low)]
        try db.write("DELETE FROM runs WHERE run_high = $1 AND run_low = $2", run)
        try db.write("INSERT INTO runs (run_high, run_low, first) VALUES ($1, $2, $3)", run + [.bits(first)])
        try db.write("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - $1", [.integer(Self.kept)])
    }

    /// Returns the newest run; nil if no run has opened the database yet.
    package func last() throws -> UUIDv7? {
        try db.value("SELECT run_high, run_low FROM runs ORDER BY id DESC LIMIT 1") { row in
            UUIDv7(high: try row.bits(0), low: try row.bits(1))
        }
    }

    /// Returns whether the run is known, and the first revision of the next run; nil if there is no next run.
    func follower(of run: UUIDv7) throws -> (isKnown: Bool, first: UInt64?) {
        let known = try db.value(
            "SELECT id FROM runs WHERE run_high = $1 AND run_low = $2", [.bits(run.high), .bits(run.low)]
        ) { row in try row.bits(0) }
        guard let known else { return (false, nil) }
        return (
            true,
            try db.value("SELECT first FROM runs WHERE id > $1 ORDER BY id LIMIT 1", [.bits(known)]) { row in
                try row.bits(0)
            }
        )
    }
}
