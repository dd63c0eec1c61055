// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite

/// Commits with plain calls of SQLite: a row as storage writes one for a landmark and one for its change, in WAL with
/// `synchronous=FULL`.
final class BareDisk {
    private var database: OpaquePointer?
    private var landmark: OpaquePointer?
    private var change: OpaquePointer?
    private var key: Int64 = 0

    init(path: String) {
        sqlite3_open(path, &database)
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 4000",
            "CREATE TABLE landmarks (key INTEGER PRIMARY KEY, low INTEGER NOT NULL, record BLOB NOT NULL) STRICT",
            "CREATE TABLE changes (rev INTEGER PRIMARY KEY, at INTEGER NOT NULL, payload BLOB NOT NULL) STRICT",
        ] { sqlite3_exec(database, sql, nil, nil, nil) }
        sqlite3_prepare_v2(database, "INSERT INTO landmarks VALUES (?, ?, ?)", -1, &landmark, nil)
        sqlite3_prepare_v2(database, "INSERT INTO changes VALUES (?, ?, ?)", -1, &change, nil)
    }

    func commit(record: [UInt8], payload: [UInt8]) -> Duration {
        key += 1
        let begun = ContinuousClock.now
        sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
        for (statement, blob) in [(landmark, record), (change, payload)] {
            sqlite3_bind_int64(statement, 1, key)
            sqlite3_bind_int64(statement, 2, key)
            blob.withUnsafeBytes { bytes in
                _ = sqlite3_bind_blob(statement, 3, bytes.baseAddress, CInt(bytes.count), nil)
                sqlite3_step(statement)
            }
            sqlite3_reset(statement)
        }
        sqlite3_exec(database, "COMMIT", nil, nil, nil)
        return ContinuousClock.now - begun
    }

    func close() {
        sqlite3_finalize(landmark)
        sqlite3_finalize(change)
        sqlite3_close(database)
    }
}
