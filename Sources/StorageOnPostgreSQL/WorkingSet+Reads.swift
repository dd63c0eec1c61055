// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import StorageRules

extension WorkingSet {
    /// Reads the rows that the commands will need, as far as they can be foreseen.
    func prefetch(_ requests: ArraySlice<WriteRequest>) throws {
        var keys: Set<UInt64> = []
        var notes: Set<UInt64> = []
        var sources: Set<SourceKey> = []
        var moving: Set<UInt64> = []
        for request in requests {
            if case .move(let id, _, _) = request.command { moving.insert(id.high) }
            switch request.command.target {
            case .landmark(let id): keys.insert(id.high)
            case .note(let id): notes.insert(id.high)
            case nil:
                guard case .ingest(let batch) = request.command else { continue }
                for row in batch.rows { sources.insert(SourceKey(name: batch.source, key: row.key)) }
                for key in batch.vanished { sources.insert(SourceKey(name: batch.source, key: key)) }
            }
        }
        // A single row is read when a command asks for it.
        if notes.count > 1 { keys.formUnion(try readNotes(Array(notes))) }
        if sources.count > 1 { keys.formUnion(try readSources(Array(sources))) }
        if keys.count > 1 { try readLandmarks(Array(keys)) }
        if moving.count > 1, let now = requests.first?.now {
            try readNewestPoints(Array(moving), upTo: PointRules.latest(now))
        }
    }

    func readNewestPoints(_ landmarks: [UInt64], upTo time: UInt64) throws {
        let rows = try connection.rows(
            """
            SELECT key, (
                SELECT at FROM track_points WHERE landmark = key AND at <= $2 ORDER BY at DESC LIMIT 1)
            FROM unnest($1) AS wanted (key)
            """, [.column(landmarks), .bits(time)])
        for row in rows { newestPoints.updateValue(row.isNull(1) ? nil : try row.bits(1), forKey: try row.bits(0)) }
    }

    private func readNotes(_ keys: [UInt64]) throws -> [UInt64] {
        var bearers: [UInt64] = []
        for row in try connection.rows("SELECT key, low, landmark FROM notes WHERE key = ANY($1)", [.column(keys)]) {
            let bearer = try row.bits(2)
            notes.read(try row.bits(0), (try row.bits(1), bearer))
            bearers.append(bearer)
        }
        for key in keys { notes.read(key, nil) }
        return bearers
    }

    private func readSources(_ keys: [SourceKey]) throws -> [UInt64] {
        let rows = try connection.rows(
            """
            SELECT s.source, s.key, s.landmark, s.draft FROM unnest($1, $2) AS wanted (source, key)
            JOIN source_rows s ON s.source = wanted.source AND s.key = wanted.key
            """, [.textArray(keys.map(\.name)), .textArray(keys.map(\.key))])
        var known: [UInt64] = []
        for row in rows {
            let found = try Self.rememberedRow(row, 2)
            sources.read(SourceKey(name: try row.text(0), key: try row.text(1)), found)
            if let landmark = found.landmark { known.append(landmark) }
        }
        for key in keys { sources.read(key, nil) }
        return known
    }

    private func readLandmarks(_ keys: [UInt64]) throws {
        for row in try connection.rows("SELECT key, record FROM landmarks WHERE key = ANY($1)", [.column(keys)]) {
            landmarks.read(try row.bits(0), try StoredLandmark(record: row.bytes(1)))
        }
        for key in keys { landmarks.read(key, nil) }
    }

    static func rememberedRow(_ row: any StoredRow, _ column: Int) throws -> RememberedRow {
        RememberedRow(landmark: row.isNull(column) ? nil : try row.bits(column), draft: try row.bytes(column + 1))
    }
}
