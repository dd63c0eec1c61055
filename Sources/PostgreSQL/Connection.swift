// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Synchronization

/// A connection to a server. Only one thread at a time may use it. Its calls block until PostgreSQL has answered, but
/// no longer than ``answerTimeout``.
///
/// After ``PostgreSQLError/connectionLost(commitIsUnknown:message:)`` or ``PostgreSQLError/timedOut(commitIsUnknown:)``
/// the connection is closed, and all later calls throw `connectionLost`. A COMMIT whose wait for a standby was
/// cancelled also closes the connection.
public final class Connection {
    /// The connection of libpq; nil if the connection has failed or was closed.
    private var handle: OpaquePointer?
    /// The error that later calls throw, with the reason why the connection was closed.
    private var failure = PostgreSQLError.closed
    private let secrets: Secrets
    let notices: Notices
    /// The maximum time for one answer. May be raised for a slow statement, even in the middle of a transaction.
    public var answerTimeout: Duration
    var unanswered = UnansweredCommit()
    /// The effects of the pipeline statements that were sent but whose answers were not read; nil stands for a sync.
    var sent: [SQLText.Effect?] = []
    /// The prepared statements by text and types. The texts are constants of the program, so there are few.
    var statements: [Statement.Key: Statement] = [:]
    private static let lastNumber = Atomic<UInt64>(0)
    /// A part of the names of statements, so that a statement of one connection is never taken for that of another.
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// The process id of the server's process for this connection, as in `pg_stat_activity`.
    public let backendPID: Int32
    /// The server's version as a number, for example 150004 for PostgreSQL 15.4.
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

    /// Closes the connection. An open transaction is undone, and all later calls throw ``PostgreSQLError/closed``.
    public func close() {
        // PQfinish sends a last message, but does not wait, because the connection is in libpq's nonblocking mode.
        PQfinish(handle)
        handle = nil
        statements.removeAll()
        sent.removeAll()
    }

    /// Whether the connection is closed, so that all later calls fail.
    public var isClosed: Bool { handle == nil }

    /// Returns a setting that the server reports, for example `TimeZone`; nil if it does not report it.
    public func parameterStatus(_ name: String) -> String? {
        handle.flatMap { PQparameterStatus($0, name) }.map { String(cString: $0) }
    }

    /// Whether there are unread answers to statements that ``send(_:)`` has sent.
    public var awaitsAnswers: Bool { !sent.isEmpty }

    /// Whether a transaction is open, even if it has failed. Statements without an answer are assumed to succeed.
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

    /// Closes the connection, and returns the error with libpq's reason.
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

    /// Returns the error in an answer. If the error ends the session, closes the connection.
    func makeError(_ answer: Answer) -> PostgreSQLError {
        let report = answer.report(secrets)
        // libpq itself makes the answer if the connection is broken.
        if PQstatus(handle) == CONNECTION_BAD, report.sqlstate.isEmpty { return lost(report.message) }
        let error = PostgreSQLError(report, commitIsUnknown: unanswered.isSent)
        if case .connectionLost = error { return lost(report.message) }
        return error
    }

    func newDeadline() -> Deadline { Deadline(after: answerTimeout) }
}
