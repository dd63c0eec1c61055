// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Operations that delete old changes and old points of tracks. Only the writer may use them, because they first find
/// the rows to delete, and nobody else may add or delete rows meanwhile.
package struct UpkeepTables {
    private let db: any SQLSession

    package init(_ db: any SQLSession) { self.db = db }

    func head() throws -> Head { try ReadTables(db).head() }
    package func floor() throws -> UInt64 { try ReadTables(db).floor() }
    /// Whether landmarks wait for a new owner, or for a new name of their owner.
    package func hasOwnerTask() throws -> Bool { try SQLAccountTable(db: db).ownerTask() != nil }
    /// Whether a landmark is to be removed because its time has come.
    package func hasExpired(now: UInt64) throws -> Bool {
        try !SQLGrantTable(db: db).expired(at: now, limit: 1).isEmpty
    }

    /// Calls `body` for each revision from `first` to below `end` with the time at which it was made, in Unix
    /// milliseconds, until `body` returns false.
    func times(from first: UInt64, below end: UInt64, _ body: (_ rev: UInt64, _ at: UInt64) throws -> Bool) throws {
        // Trimming by age usually stops at the first row, so the first query reads only one.
        try db.inPieces(
            "SELECT rev, at FROM changes WHERE rev < $1 AND rev > $2 ORDER BY rev LIMIT $3", [.bits(end)],
            after: first - min(first, 1), limit: .max, first: 1
        ) { row in
            let rev = try row.bits(0)
            return (rev, try body(rev, try row.bits(1)))
        }
    }

    /// Returns the oldest revision below `rev` that a hook still needs, if that was made within `times`; nil if
    /// there is none. Hooks that do not go on, and those of another history, need nothing.
    func neededByHook(below rev: UInt64, in times: ClosedRange<UInt64>) throws -> UInt64? {
        let waiting = try SQLHookTable(db: db).waiting(below: rev, in: times)
        guard !waiting.isEmpty else { return nil }
        let epoch = try ReadTables(db).epoch().wire
        return waiting.first { $0.state == .active && $0.position.epoch == epoch }.map { $0.position.rev &+ 1 }
    }

    /// - Parameter revs: the oldest revisions of the log.
    func deleteChanges(_ revs: Range<UInt64>) throws {
        try db.write(
            "DELETE FROM changes WHERE rev >= $1 AND rev < $2", [.bits(revs.lowerBound), .bits(revs.upperBound)])
        try db.write("DELETE FROM removals WHERE rev < $1", [.bits(revs.upperBound)])
    }

    /// Returns the next tracks in the order of their landmarks' keys, and whether each landmark exists or can be
    /// restored.
    func tracks(after key: UInt64, limit: Int) throws -> [(landmark: UInt64, exists: Bool)] {
        try db.values(
            """
            \(Self.someTracks)
            SELECT track.landmark, coalesce(landmarks.key, removals.key) FROM track
            LEFT JOIN landmarks ON landmarks.key = track.landmark LEFT JOIN removals ON removals.key = track.landmark
            WHERE track.landmark IS NOT NULL ORDER BY track.landmark
            """, [.bits(key), .int(limit)]
        ) { row in (try row.bits(0), !row.isNull(1)) }
    }

    /// Selects the keys of `$2` tracks after the key `$1`. It steps from one track to the next in the index, instead of
    /// reading all points.
    static let someTracks = """
        WITH RECURSIVE track (landmark, place) AS (
            SELECT (SELECT min(landmark) FROM track_points WHERE landmark > $1), 1
            UNION ALL
            SELECT (SELECT min(landmark) FROM track_points WHERE landmark > track.landmark), place + 1
            FROM track WHERE landmark IS NOT NULL AND place < $2
        )
        """

    /// Returns the times of the points of a track that came before `time`, at most `limit` of them.
    func points(of landmark: UInt64, before time: UInt64, limit: Int) throws -> [UInt64] {
        try db.values(
            "SELECT at FROM track_points WHERE landmark = $1 AND written < $2 ORDER BY written LIMIT $3",
            [.bits(landmark), .bits(min(time, .max >> 1)), .int(limit)]
        ) { row in try row.bits(0) }
    }

    /// Deletes points by their times.
    package func deletePoints(_ old: [(landmark: UInt64, at: UInt64)]) throws {
        try db.write(
            "DELETE FROM track_points WHERE landmark = $1 AND at = $2",
            each: old.map { [.bits($0.landmark), .bits($0.at)] })
    }
}
