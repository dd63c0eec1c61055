// SPDX-License-Identifier: Apache-2.0

/// The migrations after the first, which both databases have. PostgreSQLSchema translates these statements.
extension SQLiteSchema {
    // The removals that can be undone. key: the landmark's; rev: its last removal, in the log. Those from before this
    // migration are missing: they cannot be undone.
    package static let removals = """
        CREATE TABLE removals (
            key INTEGER PRIMARY KEY,
            rev INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX removals_rev ON removals (rev);
        """

    // filter: an encoded FeedFilter. rev: the head when the fence was made.
    // hooks: record: an encoded Hook. revision: from a counter of the hooks. rev: the position for which the log may wait;
    // NULL for a hook that does not go on.
    // hook_failures: record: an encoded HookFailure. due: 1 if it is to be sent. bytes: the size of its body.
    package static let hooks = """
        CREATE TABLE fences (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            account INTEGER NOT NULL,
            "user" TEXT NOT NULL,
            filter BLOB NOT NULL,
            created INTEGER NOT NULL,
            rev INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX fences_account ON fences (account);
        CREATE TABLE hooks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL,
            name TEXT NOT NULL,
            record BLOB NOT NULL,
            revision INTEGER NOT NULL,
            rev INTEGER,
            UNIQUE (account, name)
        ) STRICT;
        CREATE INDEX hooks_rev ON hooks (rev);
        CREATE TABLE hook_failures (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            hook INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            record BLOB NOT NULL,
            due INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX hook_failures_hook ON hook_failures (hook, number);
        CREATE INDEX hook_failures_due ON hook_failures (hook) WHERE due = 1;
        """

    // grants: record: an encoded Grant. landmark: its key; 0 for an area. expires: 0 for never.
    // expiries: at: when storage removes the landmark.
    // track_points: by the times at which the landmarks were there. rev: the revision that a landmark had then. Of two
    // points of one time the later one stays. written: when the point came.
    // reads: 1 for a key that may only read and follow. private: 1 for a fence in which links show no position.
    package static let people = """
        CREATE TABLE grants (
            digest BLOB PRIMARY KEY,
            kind INTEGER NOT NULL,
            account INTEGER NOT NULL,
            "user" TEXT NOT NULL,
            landmark INTEGER NOT NULL,
            made INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            record BLOB NOT NULL
        ) STRICT;
        CREATE INDEX grants_account ON grants (account);
        CREATE INDEX grants_landmark ON grants (landmark);
        CREATE INDEX grants_expires ON grants (expires) WHERE expires > 0;
        CREATE TABLE expiries (
            landmark INTEGER PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX expiries_at ON expiries (at);
        ALTER TABLE track_points RENAME TO old_points;
        CREATE TABLE track_points (
            landmark INTEGER NOT NULL,
            at INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            lat REAL NOT NULL,
            lng REAL NOT NULL,
            written INTEGER NOT NULL,
            accuracy REAL,
            speed REAL,
            PRIMARY KEY (landmark, at)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX track_points_written ON track_points (landmark, written);
        INSERT INTO track_points (landmark, at, rev, lat, lng, written)
            SELECT landmark, at, rev, lat, lng, written FROM (
                SELECT *, row_number() OVER (PARTITION BY landmark, at ORDER BY rev DESC) AS place FROM old_points
            ) AS numbered WHERE place = 1;
        DROP TABLE old_points;
        ALTER TABLE account_keys ADD COLUMN reads INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE fences ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
        """
}
