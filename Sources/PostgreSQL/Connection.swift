// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Synchronization

/// A connection, which is used by one thread at a time. Its calls block until PostgreSQL has answered, and no longer
/// than ``answerTimeout``.
///
/// After ``PostgreSQLError/connectionLost(commitIsUnknown:message:)`` or ``PostgreSQLError/timedOut(commitIsUnknown:)``
/// the connection is closed, and all later calls throw the former. A COMMIT whose wait for a standby was cancelled ends
/// like that too.
public final class Connection {
    /// Nil once the connection has failed or was closed.
    private var handle: OpaquePointer?
    /// The reason why the connection was closed.
    private var failure = PostgreSQLError.closed
    private let secrets: Secrets
    let notices: Notices
    /// The time that one answer may take. Raise it, even in the middle of a transaction, for a statement that takes
    /// longer.
    public var answerTimeout: Duration
    var unanswered = UnansweredCommit()
    /// The effects of sent pipeline statements whose answers have not been read; nil stands for the end of a part.
    var sent: [SQLText.Effect?] = []
    /// Prepared statements by their text and types. The texts are the program's own, so there are few of them.
    var statements: [Statement.Key: Statement] = [:]
    private static let lastNumber = Atomic<UInt64>(0)
    /// A part of the statements' names, so that a statement of another connection is not taken for one of this
    /// connection.
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// The backend's process id, as in `pg_stat_activity`.
    public let backendPID: Int32
    /// The server's version as a number: 150004 for PostgreSQL 15.4.
    public let serverVersion: Int

    /// Opens a connection.
    ///
    /// - Throws: ``PostgreSQLError/cannotConnect(_:)``, ``PostgreSQLError/authenticationFailed(_:)``,
    ///   ``PostgreSQLError/tooManyConnections(_:)`` or ``PostgreSQLError/encodingIsNotUTF8(_:)``.
    public init(_ configuration: Configuration) throws(PostgreSQLError) {
        let attempt = try ConnectionAttempt(configuration)
        try attempt.finish()
        backendPID = PQbackendPID(attempt.handle)
        serverVersion = Int(PQserverVersion(attempt.handle))
        (secrets, notices, answerTimeout) = (attempt.secrets, attempt.notices, configuration.answerTimeout)
        handle = attempt.take()
    }

    deinit { close() }

    /// Closes the connection: all later calls throw ``PostgreSQLError/closed``, and an open transaction is undone.
    public func close() {
        // PQfinish sends a last message but does not wait: the connection is in libpq's nonblocking mode.
        PQfinish(handle)
        handle = nil
        statements.removeAll()
        sent.removeAll()
    }

    /// Whether the connection is closed, so that all later calls fail.
    public var isClosed: Bool { handle == nil }

    /// A value that the server reports about itself or this session, for example `server_version` or `TimeZone`.
    public func parameterStatus(_ name: String) -> String? {
        handle.flatMap { PQparameterStatus($0, name) }.map { String(cString: $0) }
    }

    /// Whether answers to statements sent by ``send(_:)`` have not been read.
    public var awaitsAnswers: Bool { !sent.isEmpty }

    /// Whether a transaction is open, also one that has failed. Statements without an answer yet are taken to succeed.
    public var isInsideTransaction: Bool {
        guard sent.isEmpty else { return unanswered.isInsideTransaction }
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    // MARK: Failing

    func open() throws(PostgreSQLError) -> OpaquePointer {
        guard let handle else { throw failure }
        return handle
    }

    /// Closes the connection for the reason that libpq gives.
    func lost() -> PostgreSQLError {
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return lost(LibpqMessage(message).firstLine)
    }

    func lost(_ message: String) -> PostgreSQLError {
        let error = PostgreSQLError.connectionLost(
            commitIsUnknown: unanswered.isSent, message: secrets.hidden(in: message))
        close()
        failure = error
        return error
    }

    func timedOut() -> PostgreSQLError {
        let error = PostgreSQLError.timedOut(commitIsUnknown: unanswered.isSent)
        _ = lost("an answer has not come in time")
        return error
    }

    /// The error in an answer. If it ends the session, the connection is closed.
    func makeError(_ answer: Answer) -> PostgreSQLError {
        let report = answer.report(secrets)
        // libpq itself makes the answer if the connection has broken.
        if PQstatus(handle) == CONNECTION_BAD, report.sqlstate.isEmpty { return lost(report.message) }
        let error = PostgreSQLError(report, commitIsUnknown: unanswered.isSent)
        if case .connectionLost = error { return lost(report.message) }
        return error
    }

    func newDeadline() -> Deadline { Deadline(after: answerTimeout) }
}
