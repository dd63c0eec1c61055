// SPDX-License-Identifier: Apache-2.0

extension Connection {
    public enum TransactionKind: String, Sendable {
        /// Each statement sees everything that was committed before the statement began.
        case readCommitted = "BEGIN ISOLATION LEVEL READ COMMITTED"
        /// All statements see the same state of the database, and none may write. A statement that would write throws
        /// ``PostgreSQLError/readOnly(_:)``.
        case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    }

    /// - Throws: an error if a transaction is already open. PostgreSQL itself only warns then.
    public func begin(_ kind: TransactionKind = .readCommitted) throws(PostgreSQLError) {
        guard !isInsideTransaction else {
            throw .other(sqlstate: "25001", message: "there is already a transaction in progress")
        }
        try run(prepare(kind.rawValue))
    }

    /// - Throws: ``PostgreSQLError/rolledBack`` if a statement of the transaction had failed; an error if no
    ///   transaction is open, although PostgreSQL itself only warns then.
    public func commit() throws(PostgreSQLError) {
        _ = try open()
        guard isInsideTransaction else {
            throw .other(sqlstate: "25P01", message: "there is no transaction in progress")
        }
        try run(prepare("COMMIT"))
    }

    public func rollback() throws(PostgreSQLError) {
        // An error of the undone statements does not mean that the ROLLBACK fails.
        try? receiveSent()
        try run(prepare("ROLLBACK"))
    }

    /// Runs `body` in a transaction, which is undone if `body` throws or the COMMIT fails.
    @discardableResult
    public func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try begin()
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            // PostgreSQL may have ended the transaction itself. If this rollback fails, the connection is lost, which
            // also ends the transaction.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }

    /// Runs `body` in a transaction that sees one state of the database and cannot write.
    public func reading<Value>(_ body: () throws -> Value) throws -> Value {
        try begin(.snapshot)
        return try afterBegin(body)
    }

    /// Does what ``reading(_:)`` does after its BEGIN. There is nothing to commit, so what was read is right even if the
    /// rollback fails.
    func afterBegin<Value>(_ body: () throws -> Value) throws -> Value {
        defer { if isInsideTransaction { try? rollback() } }
        return try body()
    }
}
