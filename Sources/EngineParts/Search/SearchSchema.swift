// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The tables of the text search. They can be derived again, so tables of another version are rebuilt, not migrated.
enum SearchSchema {
    /// The version of the tables. Must be increased whenever a table or the values in a column change.
    static let version: Int32 = 4

    /// Creates empty tables, which record that no revision of this epoch has been read yet.
    static func create(_ db: Database, epoch: UUIDv7) throws {
        for table in ["words", "docs", "progress"] { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
        try db.execute(sql: tables)
        // FTS5 merges segments of the index when there are eight of them, instead of its default four. A row is then
        // rewritten less often, but a search reads more segments. With 160,000 rows, 4,000 at a time, adding a row took
        // 3.5 µs instead of 4.4, and a search 53 to 61 µs instead of 44.
        try db.execute(sql: "INSERT INTO words (words, rank) VALUES ('automerge', 8)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
        try db.write("INSERT INTO progress VALUES (1, $1, $2, 0, 0, 0, 0)", [.bits(epoch.high), .bits(epoch.low)])
    }

    /// Replaces the whole file in one step, even an unreadable one. Readers see either the old or the new tables.
    static func replace(_ db: Database, epoch: UUIDv7) throws {
        try DatabaseQueue().writeWithoutTransaction { fresh in
            try create(fresh, epoch: epoch)
            try fresh.backup(to: db)
        }
    }

    // docs: the columns for filters and order. The row ids of docs and words are the first halves of landmarks' ids.
    private static let tables = """
        CREATE VIRTUAL TABLE words USING fts5(
            name, user, notes, tokenize = "unicode61 remove_diacritics 2"
        );
        CREATE TABLE docs (
            key INTEGER PRIMARY KEY,
            low INTEGER NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            user TEXT NOT NULL,
            source TEXT
        ) STRICT;
        CREATE TABLE progress (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            epoch_high INTEGER NOT NULL,
            epoch_low INTEGER NOT NULL,
            run_high INTEGER NOT NULL,
            run_low INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            is_whole INTEGER NOT NULL
        ) STRICT;
        """
}

/// How far the text search has read the log.
package struct SearchProgress: Hashable, Sendable {
    var epoch: UUIDv7
    /// The run of storage whose log was read last.
    var run: UUIDv7
    /// The newest revision in the index. All changes up to it have been added.
    package var rev: UInt64
    /// Whether the index is complete; false while it is being built from a snapshot.
    var isWhole: Bool

    static func read(_ db: Database) throws -> SearchProgress {
        let progress = try db.value(
            "SELECT epoch_high, epoch_low, run_high, run_low, rev, is_whole FROM progress"
        ) { row in
            SearchProgress(
                epoch: UUIDv7(high: try row.bits(0), low: try row.bits(1)),
                run: UUIDv7(high: try row.bits(2), low: try row.bits(3)), rev: try row.bits(4),
                isWhole: try row.bits(5) != 0)
        }
        guard let progress else { throw EngineError.corrupted("the progress of the text search is missing") }
        return progress
    }

    /// Writes all fields except the epoch, which never changes.
    func write(_ db: Database) throws {
        try db.write(
            "UPDATE progress SET run_high = $1, run_low = $2, rev = $3, is_whole = $4",
            [.bits(run.high), .bits(run.low), .bits(rev), .int(isWhole ? 1 : 0)])
    }
}
