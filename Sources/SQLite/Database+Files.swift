// SPDX-License-Identifier: Apache-2.0

import CSQLite

extension Database {
    /// Brings what the log of writes holds to its place in the file.
    ///
    /// - Parameter cutsLog: all of it, and the log is cut to nothing; else as far as nobody is in the way.
    public func checkpoint(cutsLog: Bool) throws(DatabaseError) {
        let connection = try open()
        let mode = cutsLog ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection, "main", mode, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, connection) }
    }

    /// Puts a copy of this database in the place of all that `other` holds, whatever that is.
    public func backup(to other: Database) throws(DatabaseError) {
        let (source, destination) = (try open(), try other.open())
        guard let backup = sqlite3_backup_init(destination, "main", source, "main") else {
            throw DatabaseError(sqlite3_errcode(destination), destination)
        }
        let code = sqlite3_backup_step(backup, -1)
        // It returns the error of the step, but BUSY and LOCKED.
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw DatabaseError(code, destination) }
        guard end == SQLITE_OK else { throw DatabaseError(end, destination) }
    }

    /// A log of writes, flushed at checkpoints only.
    func useLogOfWrites() throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw DatabaseError(.cannotOpen, "it cannot have a log of writes")
        }
        try execute(sql: "PRAGMA synchronous = NORMAL")
        // Opens the log: connections that only read cannot make the file.
        try execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
    }
}
