// SPDX-License-Identifier: Apache-2.0

import SQLite

/// Deletes the oldest changes of the log, and old points of tracks, in a file whose disk may be full.
struct LogCompactor {
    let writer: any DatabaseWriter
    let disk: DiskGuard

    /// Deletes changes below a revision, up to `limit` of them.
    ///
    /// - Parameter rev: the oldest revision to keep.
    /// - Returns: the oldest revision that the log keeps now.
    func compact(limit: UInt64, below rev: (any UpkeepTables) throws -> UInt64) throws(EngineError) -> UInt64 {
        do {
            let (before, floor) = try writer.writeWithoutTransaction { db in
                let tables = SQLiteUpkeepTables(db)
                return (try tables.floor(), try LogFloor.raise(tables, to: try rev(tables), limit: limit))
            }
            if floor > before { emptiedSome() }
            return floor
        } catch {
            // Deletion overwrites pages, and that needs room for a moment. Fewer changes need less.
            guard case .full = EngineError(error), limit > 1 else { throw EngineError(error) }
            return try compact(limit: max(1, limit / 8), below: rev)
        }
    }

    /// - Parameters:
    ///   - start: where the sweep before ended; nil: from the first track on.
    ///   - age: milliseconds; nil: points of any age are kept.
    func sweepTracks(
        from start: UInt64?, age: UInt64?, now: UInt64, limit: Int
    ) throws(EngineError) -> TrackSweep {
        do {
            let sweep = try writer.writeWithoutTransaction { db in
                let tables = SQLiteUpkeepTables(db)
                let sweep = try TrackSweep(tables, from: start, age: age, now: now, limit: limit)
                if sweep.points > 0 { try tables.deletePoints(sweep.old) }
                return sweep
            }
            if sweep.points > 0 { emptiedSome() }
            return sweep
        } catch {
            // As above: fewer points need less room.
            guard case .full = EngineError(error), limit > 1 else { throw EngineError(error) }
            return try sweepTracks(from: start, age: age, now: now, limit: max(1, limit / 8))
        }
    }

    /// The next slice then reuses the room of the write-ahead log.
    private func emptiedSome() {
        if disk.condition != .writable { disk.emptyWriteAheadLog() }
    }
}
