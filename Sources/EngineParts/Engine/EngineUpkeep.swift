// SPDX-License-Identifier: Apache-2.0

/// The writer's database, which upkeep uses between two batches.
package protocol UpkeepDatabase: AnyObject {
    /// Whether a deletion of fewer rows needs less free disk space. If not, deletions wait while the disk is full.
    var fewerNeedLess: Bool { get }
    /// Reads without a transaction, because upkeep reads every second and usually finds nothing to delete.
    func look<Value>(_ body: (UpkeepTables) throws -> Value) throws(EngineError) -> Value
    /// Runs `body` in a transaction. The commit fails if this storage is no longer the writer.
    func delete(_ body: (UpkeepTables) throws -> Void) throws(EngineError)
}

/// Deletes the oldest changes of the log and old points of tracks.
package final class EngineUpkeep {
    private let database: any UpkeepDatabase
    private let control: EngineControl
    /// The oldest revision that the log keeps; 1 if the log is empty.
    package private(set) var floor: UInt64
    /// The key of the track at which the last sweep ended.
    private var sweptTrack: UInt64?

    /// - Parameter control: tells which revision the text search has read.
    package init(_ database: any UpkeepDatabase, control: EngineControl) throws(EngineError) {
        (self.database, self.control) = (database, control)
        floor = try database.look { tables in try tables.floor() }
    }

    /// Deletes the changes below `rev`, oldest first and at most `limit` of them. Never deletes the newest change.
    ///
    /// - Returns: the oldest kept revision. If it is still below `rev`, call again.
    package func compact(below rev: UInt64, limit: UInt64 = 10_000) throws(EngineError) -> UInt64 {
        do throws(EngineError) {
            var floor = floor
            try database.delete { tables in floor = try LogFloor.raise(tables, to: rev, limit: limit) }
            self.floor = floor
            return floor
        } catch {
            // A deletion overwrites pages, which needs disk space for a moment. A deletion of fewer rows may fit.
            guard error == .full, limit > 1, database.fewerNeedLess else { throw error }
            return try compact(below: rev, limit: max(1, limit / 8))
        }
    }

    /// Deletes the oldest changes that `retention` does not keep, at most `limit` of them.
    ///
    /// - Parameter now: the present time in Unix milliseconds.
    /// - Returns: the oldest kept revision. While it rises, call again.
    package func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        // When the disk is full, the text search may be stuck, and the changes kept for it may be what fills the disk.
        // So no changes are kept for it then, and its index is rebuilt later.
        let searched = control.condition == .writable ? control.searched : nil
        let kept = try database.look { tables in
            try retention.firstKept(tables, searched: searched, now: now, limit: limit)
        }
        return kept > floor ? try compact(below: kept, limit: limit) : floor
    }

    /// Asks whether there is something to do.
    package func isDue(_ check: (UpkeepTables) throws -> Bool) throws(EngineError) -> Bool { try database.look(check) }

    /// Deletes old points of tracks, and all points of landmarks that are removed for good. Each call examines a few
    /// tracks and continues where the last call ended.
    ///
    /// - Parameters:
    ///   - age: the maximum age of a kept point; zero keeps all points.
    ///   - now: the present time in Unix milliseconds.
    /// - Returns: the number of deleted points.
    package func sweepTracks(
        age: Duration, now: UInt64, limit: Int = TrackSweep.mostPoints
    ) throws(EngineError) -> Int {
        let sweep = try database.look { tables in
            try TrackSweep(
                tables, from: sweptTrack, age: age > .zero ? UInt64(age / .milliseconds(1)) : nil, now: now,
                limit: limit)
        }
        if !sweep.old.isEmpty {
            do throws(EngineError) { try database.delete { tables in try tables.deletePoints(sweep.old) } } catch {
                // A full disk may have room for a smaller deletion, as in ``compact(below:limit:)``.
                guard error == .full, limit > 1, database.fewerNeedLess else { throw error }
                return try sweepTracks(age: age, now: now, limit: max(1, limit / 8))
            }
        }
        sweptTrack = sweep.after
        return sweep.old.count
    }
}
