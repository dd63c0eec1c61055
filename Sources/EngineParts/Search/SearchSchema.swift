// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// The tables of the text search. They are derived data: tables of another version are rebuilt, not migrated.
enum SearchSchema {
    /// The version of the tables. Increase it with every change here, or to the values in the columns.
    static let version: Int32 = 4

    /// Creates empty tables, with the position from which to read the log.
    static func create(_ db: Database, epoch: UUIDv7) throws {
        for table in ["words", "docs", "progress"] { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
        try db.execute(sql: tables)
        // Eight parts of the index are merged into one; FTS5's default is four. A row is then rewritten less often, and
        // a search reads more parts. With 160,000 rows, 4,000 at a time, a row took 3.5 µs instead of 4.4, and a search
        // 53 to 61 µs instead of 44.
        try db.execute(sql: "INSERT INTO words (words, rank) VALUES ('automerge', 8)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
        try db.execute(
            sql: "INSERT INTO progress VALUES (1, ?, ?, 0, 0, 0, 0)",
            arguments: [epoch.high.bits, epoch.low.bits])
    }

    /// Replaces the whole file, which may be unreadable, in one step: a reader sees the old tables or the new ones.
    static func replace(_ db: Database, epoch: UUIDv7) throws {
        try DatabaseQueue().writeWithoutTransaction { fresh in
            try create(fresh, epoch: epoch)
            try fresh.backup(to: db)
        }
    }

    // docs: columns to filter and order by. It shares its row ids with words: the first halves of the landmarks' ids.
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

/// The progress of the text search.
package struct SearchProgress: Hashable, Sendable {
    var epoch: UUIDv7
    /// The run of storage whose log was read last.
    var run: UUIDv7
    /// All changes through this revision have been added.
    package var rev: UInt64
    /// False while the index is being built from a snapshot.
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

    /// Writes all fields but the epoch, which never changes.
    func write(_ db: Database) throws {
        try db.write(
            "UPDATE progress SET run_high = $1, run_low = $2, rev = $3, is_whole = $4",
            [.bits(run.high), .bits(run.low), .bits(rev), .int(isWhole ? 1 : 0)])
    }
}
