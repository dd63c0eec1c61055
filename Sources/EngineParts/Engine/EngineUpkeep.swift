// SPDX-License-Identifier: Apache-2.0

/// The writer's database, as upkeep uses it between two batches.
package protocol UpkeepDatabase: AnyObject {
    /// Whether deleting fewer rows needs less room. If not, deletions wait while the disk is full.
    var fewerNeedLess: Bool { get }
    /// Reads without a transaction, because upkeep reads every second and mostly finds nothing to do.
    func look<Value>(_ body: (UpkeepTables) throws -> Value) throws(EngineError) -> Value
    /// Runs `body` in a transaction that only the writer can commit.
    func delete(_ body: (UpkeepTables) throws -> Void) throws(EngineError)
}

/// Deletes the oldest changes of the log, and old points of tracks.
package final class EngineUpkeep {
    private let database: any UpkeepDatabase
    private let control: EngineControl
    private let searched: SearchReach
    /// The oldest revision that the log keeps; 1 while it is empty.
    package private(set) var floor: UInt64
    /// The key of the track at which the last sweep ended.
    private var sweptTrack: UInt64?

    /// - Parameter searched: the revision that the text search has reached.
    package init(_ database: any UpkeepDatabase, control: EngineControl, searched: SearchReach) throws(EngineError) {
        (self.database, self.control, self.searched) = (database, control, searched)
        floor = try database.look { tables in try tables.floor() }
    }

    /// Deletes the oldest changes, up to `limit` of them, and never the newest.
    ///
    /// - Returns: the new floor; call again while it is below `rev`.
    package func compact(below rev: UInt64, limit: UInt64 = 10_000) throws(EngineError) -> UInt64 {
        do throws(EngineError) {
            var floor = floor
            try database.delete { tables in floor = try LogFloor.raise(tables, to: rev, limit: limit) }
            self.floor = floor
            return floor
        } catch {
            // Deletion overwrites pages, and that needs room for a moment: fewer rows may fit.
            guard error == .full, limit > 1, database.fewerNeedLess else { throw error }
            return try compact(below: rev, limit: max(1, limit / 8))
        }
    }

    /// Deletes the oldest changes that `retention` does not keep, up to `limit` of them.
    ///
    /// - Parameter now: Unix milliseconds.
    /// - Returns: the new floor; call again while it rises.
    package func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        // On a full disk the text search may be stuck, and the changes that are kept for it may be what fills the disk.
        // Then nothing is kept for it, and its index is rebuilt later.
        let searched = control.condition == .writable ? searched.value : nil
        let kept = try database.look { tables in
            try retention.firstKept(tables, searched: searched, now: now, limit: limit)
        }
        return kept > floor ? try compact(below: kept, limit: limit) : floor
    }

    /// Whether landmarks are waiting for another owner, or for their owner's new name.
    package func hasOwnerTask() throws(EngineError) -> Bool {
        try database.look { tables in try tables.hasOwnerTask() }
    }

    /// Deletes old points of tracks, and all points of removed landmarks. Each call examines a few tracks, in turn.
    ///
    /// - Parameters:
    ///   - age: points that were written longer ago are deleted; zero keeps all.
    ///   - now: Unix milliseconds.
    /// - Returns: the number of deleted points.
    package func sweepTracks(
        age: Duration, now: UInt64, limit: Int = TrackSweep.mostPoints
    ) throws(EngineError) -> Int {
        let sweep = try database.look { tables in
            try TrackSweep(
                tables, from: sweptTrack, age: age > .zero ? UInt64(age / .milliseconds(1)) : nil, now: now,
                limit: limit)
        }
        if sweep.points > 0 {
            do throws(EngineError) { try database.delete { tables in try tables.deletePoints(sweep.old) } } catch {
                // A full disk may have room for a smaller deletion, as in ``compact(below:limit:)``.
                guard error == .full, limit > 1, database.fewerNeedLess else { throw error }
                return try sweepTracks(age: age, now: now, limit: max(1, limit / 8))
            }
        }
        sweptTrack = sweep.after
        return sweep.points
    }
}
