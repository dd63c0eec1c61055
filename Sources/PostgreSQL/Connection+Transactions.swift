// SPDX-License-Identifier: Apache-2.0

extension Connection {
    public enum TransactionKind: String, Sendable {
        /// Each statement sees what was committed before it.
        case readCommitted = "BEGIN ISOLATION LEVEL READ COMMITTED"
        /// All statements see one state; one that cannot write then fails with
        /// ``PostgreSQLError/serializationFailure(_:)``.
        case repeatableRead = "BEGIN ISOLATION LEVEL REPEATABLE READ"
        /// All statements see one state, and none writes: those that would throw ``PostgreSQLError/readOnly(_:)``.
        case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    }

    /// - Throws: also inside of a transaction, of which PostgreSQL itself only warns.
    public func begin(_ kind: TransactionKind = .readCommitted) throws(PostgreSQLError) {
        guard !isInsideTransaction else {
            throw .other(sqlstate: "25001", message: "there is already a transaction in progress")
        }
        try run(prepare(kind.rawValue))
    }

    /// - Throws: ``PostgreSQLError/rolledBack`` where a statement had failed before; an error also outside of a
    ///   transaction, of which PostgreSQL itself only warns.
    public func commit() throws(PostgreSQLError) {
        _ = try open()
        guard isInsideTransaction else {
            throw .other(sqlstate: "25P01", message: "there is no transaction in progress")
        }
        try run(prepare("COMMIT"))
    }

    public func rollback() throws(PostgreSQLError) {
        // An error of what it undoes says nothing of the ROLLBACK.
        try? receiveSent()
        try run(prepare("ROLLBACK"))
    }

    /// `body` in one transaction, undone when it throws or cannot be committed.
    @discardableResult
    public func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try begin()
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            // PostgreSQL may have ended it by itself. Where this fails, the connection is lost, and so the transaction.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }

    /// `body` in one transaction that sees one state and does not write.
    public func reading<Value>(_ body: () throws -> Value) throws -> Value {
        try begin(.snapshot)
        return try afterBegin(body)
    }

    /// The rest of ``reading(_:)``. There is nothing to commit.
    func afterBegin<Value>(_ body: () throws -> Value) throws -> Value {
        let value: Value
        do { value = try body() } catch {
            if isInsideTransaction { try? rollback() }
            throw error
        }
        try rollback()
        return value
    }
}
