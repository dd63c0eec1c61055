// SPDX-License-Identifier: Apache-2.0

/// Errors of PostgreSQL and of connections to it. No case and no description shows the URL's password.
public enum PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    case invalidURL(String)
    /// libpq cannot be loaded. The text is that of the dynamic linker.
    case noLibrary(String)
    /// The client encoding is not UTF8. The URL, a proxy or a statement has set another encoding.
    case encodingIsNotUTF8(String)
    case cannotConnect(String)
    /// SQLSTATE class 28.
    case authenticationFailed(String)
    /// The connection is lost, and all later calls fail too. `commitIsUnknown` means that a COMMIT, or a statement
    /// outside of a transaction, was sent but its answer was lost.
    case connectionLost(commitIsUnknown: Bool, message: String)
    /// No answer came in time. The connection is closed, as after ``connectionLost(commitIsUnknown:message:)``.
    case timedOut(commitIsUnknown: Bool)
    /// 57014: `pg_cancel_backend` or the server's `statement_timeout` has cancelled the statement.
    case cancelled(String)
    /// 23505.
    case uniqueViolation(constraint: String)
    /// The other errors of class 23. The constraint is empty if PostgreSQL names none, for example for NOT NULL.
    case otherConstraint(sqlstate: String, constraint: String, message: String)
    /// 40001.
    case serializationFailure(String)
    /// 40P01.
    case deadlock(String)
    /// 25006.
    case readOnly(String)
    /// 53100.
    case diskFull(String)
    /// 53300.
    case tooManyConnections(String)
    /// 42P01.
    case undefinedTable(String)
    /// XX001 and XX002.
    case dataCorrupted(String)
    /// Any other SQLSTATE.
    case other(sqlstate: String, message: String)

    /// The parameters cannot be sent, and nothing was sent.
    case parameter(ParameterError)
    /// A statement of a ``Pipeline`` was not run, because a statement before it failed.
    case pipelineAborted
    /// The COMMIT has undone the transaction, because a statement of it had failed.
    case rolledBack
    /// The connection or its pool was closed before.
    case closed

    /// Whether the sent statements may have been committed although the call failed. Before repeating them, find out.
    public var commitIsUnknown: Bool {
        switch self {
        case .connectionLost(let isUnknown, _), .timedOut(let isUnknown): isUnknown
        default: false
        }
    }

    public var description: String {
        switch self {
        case .invalidURL(let reason): "the PostgreSQL URL is not valid: correct it: \(reason)"
        case .noLibrary(let reason):
            "libpq cannot be loaded: install its package, such as Debian's libpq5: \(reason)"
        case .encodingIsNotUTF8(let name):
            "the client encoding is \(name): remove that setting, since only UTF8 is read"
        case .cannotConnect(let reason):
            "PostgreSQL cannot be reached: check that it runs and that the URL is right: \(reason)"
        case .authenticationFailed(let reason):
            "PostgreSQL does not let this user in: check the user, the password and pg_hba.conf: \(reason)"
        case .connectionLost(true, let reason):
            "the connection to PostgreSQL was lost: connect again, and look whether the COMMIT was done: \(reason)"
        case .connectionLost(false, let reason): "the connection to PostgreSQL was lost: connect again: \(reason)"
        case .timedOut(true):
            "PostgreSQL has not answered in time: connect again, and look whether the COMMIT was done"
        case .timedOut(false): "PostgreSQL has not answered in time: connect again when it does"
        case .cancelled(let reason): "the statement was cancelled: repeat it if it is still wanted: \(reason)"
        case .uniqueViolation(let constraint):
            "a row with this key is already there: choose another key or change that row (\(constraint))"
        case .otherConstraint(let state, _, let reason):
            "the row breaks a rule of its table: correct it: \(reason) (\(state))"
        case .serializationFailure(let reason): "another transaction was in the way: repeat this one: \(reason)"
        case .deadlock(let reason): "two transactions waited for each other: repeat this one: \(reason)"
        case .readOnly(let reason): "nothing can be written here: connect to the primary, outside of a read: \(reason)"
        case .diskFull(let reason): "PostgreSQL's disk is full: make room on it: \(reason)"
        case .tooManyConnections(let reason):
            "PostgreSQL has too many connections: close some or raise max_connections: \(reason)"
        case .undefinedTable(let reason):
            "a table is missing: make the schema, or choose the database that has it: \(reason)"
        case .dataCorrupted(let reason): "PostgreSQL's files are damaged: stop writing and restore a backup: \(reason)"
        case .other(let state, let reason): "PostgreSQL refused a statement: see its server log: \(reason) (\(state))"
        case .parameter(let reason): "\(reason)"
        case .pipelineAborted: "the statement was not run: see the error of the one before it in the pipeline"
        case .rolledBack: "the transaction was undone instead of committed: repeat it without the statement that failed"
        case .closed: "the connection is closed: open another"
        }
    }
}
