// SPDX-License-Identifier: Apache-2.0

import CSQLite

extension Database {
    /// Moves the content of the write-ahead log to the database file.
    ///
    /// - Parameter cutsLog: whether to move the whole content and truncate the log. If false, moves only as much as is
    ///   possible without waiting for other connections.
    public func checkpoint(cutsLog: Bool) throws(DatabaseError) {
        let connection = try open()
        let mode = cutsLog ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection, "main", mode, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, connection) }
    }

    /// Replaces the whole content of `other` with a copy of this database, even if `other` is unreadable.
    public func backup(to other: Database) throws(DatabaseError) {
        let (source, destination) = (try open(), try other.open())
        guard let backup = sqlite3_backup_init(destination, "main", source, "main") else {
            throw DatabaseError(sqlite3_errcode(destination), destination)
        }
        let code = sqlite3_backup_step(backup, -1)
        // sqlite3_backup_finish returns the error of sqlite3_backup_step, unless that is BUSY or LOCKED.
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw DatabaseError(code, destination) }
        guard end == SQLITE_OK else { throw DatabaseError(end, destination) }
    }

    /// Switches the file to a write-ahead log.
    func useLogOfWrites() throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(.cannotOpen, "the file cannot have a write-ahead log")
        }
        try execute(sql: "PRAGMA synchronous = NORMAL")
        // This read creates the log file, because connections that only read cannot create it.
        try execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
    }
}
