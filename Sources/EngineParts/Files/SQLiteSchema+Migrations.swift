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
}
