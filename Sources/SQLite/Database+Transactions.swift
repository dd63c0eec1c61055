// SPDX-License-Identifier: Apache-2.0

import CSQLite

extension Database {
    public var isInsideTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Begins a transaction, and takes the lock for writing.
    public func begin() throws(DatabaseError) { try cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").run() }

    public func commit() throws(DatabaseError) { try cachedStatement(sql: "COMMIT TRANSACTION").run() }

    public func rollback() throws(DatabaseError) { try cachedStatement(sql: "ROLLBACK TRANSACTION").run() }

    /// Runs `body` in a transaction, which is undone if `body` throws or the commit fails. Takes the lock for writing
    /// before `body` runs.
    @discardableResult
    public func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try begin()
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            // SQLite may have rolled back already. If this rollback fails, the next BEGIN fails and reports the error.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }

    /// Runs `body` in a savepoint of the open transaction, and undoes its writes if it throws or returns false.
    public func inSavepoint(_ body: () throws -> Bool) throws {
        try cachedStatement(sql: "SAVEPOINT part").run()
        do {
            if try !body() { try cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT part").run() }
            try cachedStatement(sql: "RELEASE SAVEPOINT part").run()
        } catch {
            // SQLite may already have rolled back the whole transaction.
            if isInsideTransaction {
                _ = try? cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT part").run()
                _ = try? cachedStatement(sql: "RELEASE SAVEPOINT part").run()
            }
            throw error
        }
    }
}
