// SPDX-License-Identifier: Apache-2.0

extension Retention {
    /// The oldest revision to keep, at most `limit` above the floor.
    ///
    /// The age limit drops revisions in order, up to the first young one. A revision from the future was made while the
    /// clock was wrong, and counts as old as the revisions around it.
    ///
    /// - Parameter now: Unix milliseconds.
    func firstKept(_ tables: UpkeepTables, now: UInt64, limit: UInt64) throws -> UInt64 {
        let (floor, head) = (try tables.floor(), try tables.head().rev)
        func below(_ count: UInt64) -> UInt64 { head - min(head, max(1, count)) + 1 }
        let end = min(below(least), floor + limit)
        guard end > floor else { return floor }
        let first = max(floor, min(end, below(count)))
        let age = UInt64(max(0, age / .milliseconds(1)))
        guard age > 0, now > age, first < end else { return first }
        var kept = first
        try tables.times(from: first, below: end) { rev, at in
            if at < now - age { kept = rev + 1 }
            return at < now - age || at > now
        }
        return kept
    }

    /// The oldest revision to keep. Changes that the text search has not read yet stay for a while.
    ///
    /// - Parameter searched: the revision that the text search has reached; nil keeps nothing for it.
    package func firstKept(
        _ tables: UpkeepTables, searched: UInt64?, now: UInt64, limit: UInt64
    ) throws -> UInt64 {
        let kept = try firstKept(tables, now: now, limit: limit)
        guard let searched else { return kept }
        let head = try tables.head().rev
        return min(kept, max(searched &+ 1, head - min(head, searchLag)))
    }
}

/// Deletes the oldest changes of the log.
package struct LogFloor {
    /// Deletes changes below a revision, up to `limit` of them, and never the newest.
    ///
    /// - Returns: the oldest revision that the log keeps now.
    package static func raise(_ tables: UpkeepTables, to rev: UInt64, limit: UInt64) throws -> UInt64 {
        let floor = try tables.floor()
        let end = min(rev, try tables.head().rev)
        // Read first: otherwise a transaction that changes nothing would be made every second while nobody writes.
        guard end > floor else { return floor }
        try tables.deleteChanges(floor..<min(end, floor + limit))
        return try tables.floor()
    }
}
