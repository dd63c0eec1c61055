// SPDX-License-Identifier: Apache-2.0

extension Retention {
    /// Returns the oldest revision that the limits keep, at most `limit` above the oldest stored revision.
    ///
    /// Revisions that are too old are dropped in order, up to the first one that is young enough. A revision with a
    /// time in the future was made while the clock was wrong, and counts as old as the revisions around it.
    ///
    /// - Parameter now: the present time in Unix milliseconds.
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

    /// Returns the oldest revision to keep. Changes that the text search has not read yet, or that a hook has not
    /// delivered yet, are kept for longer.
    ///
    /// - Parameter searched: the newest revision that the text search has read; nil if it and the hooks are ignored.
    package func firstKept(
        _ tables: UpkeepTables, searched: UInt64?, now: UInt64, limit: UInt64
    ) throws -> UInt64 {
        var kept = try firstKept(tables, now: now, limit: limit)
        guard let searched else { return kept }
        let age = UInt64(max(0, hooks / .milliseconds(1)))
        if age > 0, try kept > tables.floor() {
            // A change of the far future was made while the clock was wrong, and is not waited for.
            let times = now - min(now, age)...max(now, now &+ age)
            kept = min(kept, try tables.neededByHook(below: kept, in: times) ?? kept)
        }
        let head = try tables.head().rev
        return min(kept, max(searched &+ 1, head - min(head, searchLag)))
    }
}

/// Deletes the oldest changes of the log.
package struct LogFloor {
    /// Deletes the changes below `rev`, at most `limit` of them, and never the newest change.
    ///
    /// - Returns: the oldest revision that the log keeps now.
    package static func raise(_ tables: UpkeepTables, to rev: UInt64, limit: UInt64) throws -> UInt64 {
        let floor = try tables.floor()
        let end = min(rev, try tables.head().rev)
        // Compare first: otherwise storage would commit an empty transaction every second while nobody writes.
        guard end > floor else { return floor }
        try tables.deleteChanges(floor..<min(end, floor + limit))
        return try tables.floor()
    }
}
