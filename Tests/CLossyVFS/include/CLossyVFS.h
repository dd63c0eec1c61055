// SPDX-License-Identifier: Apache-2.0
#pragma once

// A library to be loaded with LD_PRELOAD into a program that uses SQLite. WAYMARK_VFS says what it does:
//
//   lossy      what is written stays in this process until xSync, so that kill -9 loses what a loss of power would
//   deaf       as lossy, and xSync of a -wal does nothing: a disk that lies
//   ioerr=N    the Nth write or sync fails with SQLITE_IOERR; ioerr=N,sync and ioerr=N,write: of these only
//   full=N:M   M writes from the Nth on fail with SQLITE_FULL
//
// Without the variable it does nothing.
