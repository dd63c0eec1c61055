// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation

/// Commits with plain calls of SQLite: rows like those that storage writes for a landmark and its change, in WAL mode
/// with `synchronous=FULL`.
final class BareDisk {
    private var database: OpaquePointer?
    private var landmark: OpaquePointer?
    private var change: OpaquePointer?
    private var key: Int64 = 0x0193_3c6e_7f3a_7000

    init(path: String) {
        sqlite3_open(path, &database)
        // Tables and keys like storage's.
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA wal_autocheckpoint = 4000",
            "CREATE TABLE landmarks (key INTEGER PRIMARY KEY, low INTEGER NOT NULL, record BLOB NOT NULL) STRICT",
            """
            CREATE TABLE changes (
                rev INTEGER PRIMARY KEY, previous INTEGER NOT NULL, landmarks INTEGER NOT NULL, at INTEGER NOT NULL,
                operation INTEGER NOT NULL, version INTEGER NOT NULL, user TEXT NOT NULL, payload BLOB NOT NULL
            ) STRICT
            """,
        ] { sqlite3_exec(database, sql, nil, nil, nil) }
        sqlite3_prepare_v2(database, "INSERT INTO landmarks VALUES (?1, ?2, ?3)", -1, &landmark, nil)
        sqlite3_prepare_v2(
            database, "INSERT INTO changes VALUES (?1, 0, ?2, ?2, 1, 1, 'measure', ?3)", -1, &change, nil)
    }

    /// - Parameter rows: the landmarks, and as many changes, of the transaction.
    func commit(rows: Int = 1, record: [UInt8], payload: [UInt8]) -> Duration {
        let begun = ContinuousClock.now
        sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
        for _ in 0..<rows {
            key += 1
            insert(landmark, record)
            insert(change, payload)
        }
        sqlite3_exec(database, "COMMIT", nil, nil, nil)
        return ContinuousClock.now - begun
    }

    private func insert(_ statement: OpaquePointer?, _ blob: [UInt8]) {
        sqlite3_bind_int64(statement, 1, key)
        sqlite3_bind_int64(statement, 2, key)
        blob.withUnsafeBytes { bytes in
            _ = sqlite3_bind_blob(statement, 3, bytes.baseAddress, CInt(bytes.count), nil)
            sqlite3_step(statement)
        }
        sqlite3_reset(statement)
    }

    /// The committed changes.
    var count: Int {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(database, "SELECT count(*) FROM changes", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? Int(sqlite3_column_int64(statement, 0)) : 0
    }

    func close() {
        sqlite3_finalize(landmark)
        sqlite3_finalize(change)
        sqlite3_close(database)
    }
}
