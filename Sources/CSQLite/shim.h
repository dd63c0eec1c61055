// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

/// sqlite3_config is variadic, and cannot be called from Swift. Refused with SQLITE_MISUSE once a connection was opened.
static inline int waymark_sqlite_keep_no_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
