// SPDX-License-Identifier: Apache-2.0

extension Connection {
    public enum TransactionKind: String, Sendable {
        /// Each statement sees what was committed before it.
        case readCommitted = "BEGIN ISOLATION LEVEL READ COMMITTED"
        /// All statements see one state. A statement that cannot write therefore fails with
        /// ``PostgreSQLError/serializationFailure(_:)``.
        case repeatableRead = "BEGIN ISOLATION LEVEL REPEATABLE READ"
        /// All statements see one state, and none writes: a statement that would write throws
        /// ``PostgreSQLError/readOnly(_:)``.
        case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    }

    /// - Throws: an error also inside a transaction, where PostgreSQL itself only warns.
    public func begin(_ kind: TransactionKind = .readCommitted) throws(PostgreSQLError) {
        guard !isInsideTransaction else {
            throw .other(sqlstate: "25001", message: "there is already a transaction in progress")
        }
        try run(prepare(kind.rawValue))
    }

    /// - Throws: ``PostgreSQLError/rolledBack`` if a statement had failed before; an error also outside of a
    ///   transaction, where PostgreSQL itself only warns.
    public func commit() throws(PostgreSQLError) {
        _ = try open()
        guard isInsideTransaction else {
            throw .other(sqlstate: "25P01", message: "there is no transaction in progress")
        }
        try run(prepare("COMMIT"))
    }

    public func rollback() throws(PostgreSQLError) {
        // An error of the undone statements says nothing of the ROLLBACK.
        try? receiveSent()
        try run(prepare("ROLLBACK"))
    }

    /// Runs `body` in one transaction, which is undone if `body` throws or the COMMIT fails.
    @discardableResult
    public func inTransaction<Value>(_ body: () throws -> Value) throws -> Value {
        try begin()
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            // PostgreSQL may have ended the transaction by itself. If this rollback fails, the connection is lost, and
            // the transaction with it.
            if isInsideTransaction { try? rollback() }
            throw error
        }
    }

    /// Runs `body` in one transaction that sees one state and does not write.
    public func reading<Value>(_ body: () throws -> Value) throws -> Value {
        try begin(.snapshot)
        return try afterBegin(body)
    }

    /// The part of ``reading(_:)`` after its BEGIN. There is nothing to commit.
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
