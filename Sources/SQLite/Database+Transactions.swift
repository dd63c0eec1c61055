// SPDX-License-Identifier: Apache-2.0

import CSQLite

extension Database {
    public enum TransactionKind: String, Sendable {
        case deferred = "DEFERRED"
        /// Takes the lock for writing at once.
        case immediate = "IMMEDIATE"
    }

    public enum TransactionCompletion: Sendable {
        case commit, rollback
    }

    public var isInsideTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    public func beginTransaction(_ kind: TransactionKind) throws(DatabaseError) {
        try cachedStatement(sql: "BEGIN \(kind.rawValue) TRANSACTION").run()
    }

    public func commit() throws(DatabaseError) { try cachedStatement(sql: "COMMIT TRANSACTION").run() }

    public func rollback() throws(DatabaseError) { try cachedStatement(sql: "ROLLBACK TRANSACTION").run() }

    /// `body` in one transaction, undone when it throws or cannot be committed.
    public func inTransaction(
        _ kind: TransactionKind = .immediate, _ body: () throws -> TransactionCompletion
    ) throws {
        try beginTransaction(kind)
        do {
            switch try body() {
            case .commit: try commit()
            case .rollback: try rollback()
            }
        } catch {
            // SQLite may have rolled back by itself. Where this fails, the next BEGIN does and says so.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }

    /// `body` in a part of the open transaction, undone when it throws.
    public func inSavepoint(_ body: () throws -> TransactionCompletion) throws {
        try cachedStatement(sql: "SAVEPOINT part").run()
        do {
            if case .rollback = try body() { try cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT part").run() }
            try cachedStatement(sql: "RELEASE SAVEPOINT part").run()
        } catch {
            // SQLite may have rolled back the whole transaction by itself.
            if isInsideTransaction {
                _ = try? cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT part").run()
                _ = try? cachedStatement(sql: "RELEASE SAVEPOINT part").run()
            }
            throw error
        }
    }
}
