// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL

extension PostgreSQLEngine {
    func compact(below rev: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        floor = try fenced { tables in try LogFloor.raise(tables, to: rev, limit: limit) }
        return floor
    }

    func compact(to retention: Retention, now: UInt64, limit: UInt64) throws(EngineError) -> UInt64 {
        try admit()
        let searched = remote.condition == .writable ? readerBehind.index.progress.value : nil
        let kept: UInt64
        do {
            // Read without a transaction that would be made every second for nothing.
            kept = try retention.firstKept(
                PostgreSQLUpkeepTables(set.connection), searched: searched, now: now, limit: limit)
        } catch {
            throw failed(EngineError(error))
        }
        return kept > floor ? try compact(below: kept, limit: limit) : floor
    }

    func sweepTracks(age: Duration, now: UInt64) throws(EngineError) -> Int {
        try admit()
        do {
            let sweep = try TrackSweep(
                PostgreSQLUpkeepTables(set.connection), from: sweptTrack,
                age: age > .zero ? UInt64(age / .milliseconds(1)) : nil, now: now, limit: TrackSweep.mostPoints)
            if sweep.points > 0 { try fenced { tables in try tables.deletePoints(sweep.old) } }
            sweptTrack = sweep.after
            return sweep.points
        } catch {
            throw failed(EngineError(error))
        }
    }

    /// In a transaction that only the writer can commit.
    private func fenced<Value>(_ body: (PostgreSQLUpkeepTables) throws -> Value) throws(EngineError) -> Value {
        try admit()
        let connection = set.connection
        do {
            return try connection.inTransaction {
                try term.require(connection)
                return try body(PostgreSQLUpkeepTables(connection))
            }
        } catch {
            throw failed(EngineError(error))
        }
    }

    func accountNews() throws(EngineError) -> AccountNews {
        try admit()
        do { return try PostgreSQLAccounts(set.connection).news(since: 0, limit: nil) } catch {
            throw failed(EngineError(error))
        }
    }

    var hasOwnerTask: Bool {
        guard !isClosed, !isSuperseded, !set.connection.isClosed else { return false }
        return (try? PostgreSQLOwnerTaskTable(set: set).first() != nil) ?? false
    }
}
