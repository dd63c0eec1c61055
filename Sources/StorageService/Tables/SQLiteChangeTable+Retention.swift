// SPDX-License-Identifier: Apache-2.0

import SQLite

extension SQLiteChangeTable {
    /// The oldest revision that `retention` keeps, no more than `limit` above the floor.
    ///
    /// By age, revisions go in their order, up to the first one that is young. One whose time lies in the future, made
    /// while the clock was wrong, is as old as those around it.
    ///
    /// - Parameter now: Unix milliseconds.
    static func firstKept(_ db: Database, _ retention: Retention, now: UInt64, limit: UInt64) throws -> UInt64 {
        let (floor, head) = (try floor(db), try head(db).rev)
        func below(_ count: UInt64) -> UInt64 { head - min(head, max(1, count)) + 1 }
        let end = min(below(retention.least), floor + limit)
        guard end > floor else { return floor }
        let first = max(floor, min(end, below(retention.count)))
        let age = UInt64(max(0, retention.age / .milliseconds(1)))
        guard age > 0, now > age, first < end else { return first }
        var kept = first
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "SELECT rev, at FROM changes WHERE rev >= ? AND rev < ? ORDER BY rev"),
            arguments: [first.bits, end.bits])
        while let row = try rows.next() {
            let at = try row.bits(1)
            if at < now - age {
                kept = try row.bits(0) + 1
            } else if at <= now {
                break
            }
        }
        return kept
    }
}
