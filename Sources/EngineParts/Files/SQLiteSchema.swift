// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SQLite
import Support

/// The tables of the main database. Every change to them is a new migration, and released migrations are never edited.
///
/// Ids are stored as two integers. The first 64 bits of an id, which are its time and counter, are the key of the row.
/// They are unique, because one generator makes all ids and never repeats these bits, and an integer key is the order
/// in which SQLite stores the rows. An insert costs a fifth less than with all sixteen bytes as the key, with or
/// without rowids.
package enum SQLiteSchema {
    /// "WAYM", which is stored in the header of each database file. A file without it belongs to another program.
    package static let applicationID: Int32 = 0x5741_594d

    package static func migrator(newEpoch: UUIDv7 = .new()) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 landmarks") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: own + tables + accounts)
            try db.write("INSERT INTO history VALUES (1, $1, $2)", [.bits(newEpoch.high), .bits(newEpoch.low)])
        }
        migrator.registerMigration("2 removals") { db in try db.execute(sql: removals) }
        migrator.registerMigration("3 hooks") { db in try db.execute(sql: hooks) }
        migrator.registerMigration("4 people") { db in try db.execute(sql: people) }
        // An invented migration lets a test kill a process in the middle of an upgrade.
        if Failpoint.isArmed(.nextMigration) {
            migrator.registerMigration("5 made up") { db in
                try db.execute(sql: "ALTER TABLE landmarks ADD COLUMN made_up INTEGER NOT NULL DEFAULT 0")
                Failpoint.hit(.insideMigration)
            }
        }
        return migrator
    }

    // number: never used again. folded: the name in lower case. password: an Argon2id hash, empty if there is none.
    // revision: from a counter for accounts and keys, which is not that of the change log. Times are Unix milliseconds.
    // kind: a value of KeyKind.
    // digest: the SHA-256 hash of an invitation's code, which has 100 random bits.
    // shelf: a value of AuditShelf. place: numbers the entries of a shelf, so that the oldest are found without a
    // search.
    // owner_tasks: pending changes of landmarks' owners or of their names. after: the key of the last examined
    // landmark.
    package static let accounts = """
        CREATE TABLE accounts (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            folded TEXT NOT NULL UNIQUE,
            role INTEGER NOT NULL,
            password TEXT NOT NULL,
            created INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX accounts_revision ON accounts (revision);
        CREATE TABLE account_keys (
            key BLOB PRIMARY KEY,
            account INTEGER NOT NULL,
            label TEXT NOT NULL,
            made INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            kind INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX account_keys_account ON account_keys (account);
        CREATE INDEX account_keys_revision ON account_keys (revision);
        CREATE TABLE invitations (
            account INTEGER PRIMARY KEY,
            digest BLOB NOT NULL,
            expires INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            number INTEGER NOT NULL,
            account TEXT NOT NULL,
            origin TEXT NOT NULL,
            deed TEXT NOT NULL,
            subject TEXT NOT NULL,
            outcome TEXT NOT NULL,
            shelf INTEGER NOT NULL,
            place INTEGER NOT NULL,
            UNIQUE (shelf, place)
        ) STRICT;
        CREATE TABLE owner_tasks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL,
            claimed TEXT,
            after INTEGER NOT NULL
        ) STRICT;
        """

    // Tables that PostgreSQLSchema defines differently.
    // runs: one row for each start. first: the first revision that the run could commit.
    // newest: the first half of the greatest id, of a landmark or a note, that was ever removed.
    private static let own = """
        CREATE TABLE history (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            epoch_high INTEGER NOT NULL,
            epoch_low INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE runs (
            id INTEGER PRIMARY KEY,
            run_high INTEGER NOT NULL,
            run_low INTEGER NOT NULL,
            first INTEGER NOT NULL,
            UNIQUE (run_high, run_low)
        ) STRICT;

        CREATE TABLE newest (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            key INTEGER NOT NULL
        ) STRICT;
        INSERT INTO newest VALUES (1, 0);
        """

    // Tables that both databases have. PostgreSQLSchema translates these statements.
    // landmarks: record: an encoded Landmark.
    // notes: the landmark of each note. The note itself is in the landmark's record.
    // changes: previous: the landmark's revision before this one, 0 for none: its history is a chain. landmarks: their
    // number after this revision. payload: an encoded Change. Last, so that nothing else has to be read past it.
    // answers: the replies to writes, as they were sent. Looked up by client and sequence in memory.
    // source_rows: landmark: its key; NULL when a person removed it. draft: the encoded LandmarkDraft that the source
    // gave last.
    // fetches: outcome: an encoded FetchOutcome, with the ETag of the last success. success_url, success_format: the
    // fetch that the ETag belongs to.
    // forgotten: the highest sequence of a client whose answer is forgotten, one row each time it rises.
    // track_points: where landmarks have been: one row for each move. landmark: its key, which is never given again.
    // at: the mover's time; written: the revision's time. Both are Unix milliseconds.
    package static let tables = """
        CREATE TABLE landmarks (
            key INTEGER PRIMARY KEY,
            low INTEGER NOT NULL,
            record BLOB NOT NULL
        ) STRICT;

        CREATE TABLE notes (
            key INTEGER PRIMARY KEY,
            low INTEGER NOT NULL,
            landmark INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE changes (
            rev INTEGER PRIMARY KEY,
            previous INTEGER NOT NULL,
            landmarks INTEGER NOT NULL,
            at INTEGER NOT NULL,
            operation INTEGER NOT NULL,
            version INTEGER NOT NULL,
            "user" TEXT NOT NULL,
            payload BLOB NOT NULL
        ) STRICT;

        CREATE TABLE answers (
            id INTEGER PRIMARY KEY,
            client_high INTEGER NOT NULL,
            client_low INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            digest_high INTEGER NOT NULL,
            digest_low INTEGER NOT NULL,
            reply BLOB NOT NULL
        ) STRICT;

        CREATE TABLE source_rows (
            source TEXT NOT NULL,
            key TEXT NOT NULL,
            landmark INTEGER,
            draft BLOB NOT NULL,
            PRIMARY KEY (source, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE fetches (
            source TEXT PRIMARY KEY,
            url TEXT NOT NULL,
            format TEXT NOT NULL,
            attempted INTEGER NOT NULL,
            succeeded INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            lease INTEGER NOT NULL,
            outcome BLOB NOT NULL,
            success_url TEXT NOT NULL,
            success_format TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE forgotten (
            id INTEGER PRIMARY KEY,
            client_high INTEGER NOT NULL,
            client_low INTEGER NOT NULL,
            sequence INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE track_points (
            landmark INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            at INTEGER NOT NULL,
            written INTEGER NOT NULL,
            lat REAL NOT NULL,
            lng REAL NOT NULL,
            PRIMARY KEY (landmark, rev)
        ) STRICT, WITHOUT ROWID;
        """
}
