// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

// SQLite's variadic functions, which cannot be called from Swift.

/// Turns memory statistics off. SQLite refuses this with SQLITE_MISUSE once a connection was opened.
static inline int waymark_sqlite_keep_no_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Makes a name in double quotes that is not a column an error; SQLite would take it for a text.
static inline void waymark_sqlite_refuse_double_quoted_texts(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

/// Keeps the log of writes when the last connection closes; SQLite would merge it into the file.
static inline void waymark_sqlite_keep_log_at_end(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (void *)0);
}
