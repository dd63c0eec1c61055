// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Synchronization

/// A connection, which is used by one thread at a time. Its calls block until PostgreSQL has answered, and no longer than
/// ``answerTimeout``.
///
/// After ``PostgreSQLError/connectionLost(commitIsUnknown:message:)`` or ``PostgreSQLError/timedOut(commitIsUnknown:)`` it
/// is closed, and all later calls throw the former. That is also how a COMMIT ends whose wait for a standby was cancelled.
public final class Connection {
    /// Nil once it has failed or was closed.
    private var handle: OpaquePointer?
    /// Why it was closed.
    private var failure = PostgreSQLError.closed
    private let secrets: Secrets
    let notices: Notices
    /// How long one answer may take, also in the middle of a transaction: longer for a statement that is known to.
    public var answerTimeout: Duration
    var unanswered = UnansweredCommit()
    /// The statements of pipelines whose answers have not been read, by what they do; nil: the end of a part.
    var sent: [SQLText.Effect?] = []
    /// The statements that were prepared, by their text and types. They are the program's own, so there are few of them.
    var statements: [Statement.Key: Statement] = [:]
    private static let lastNumber = Atomic<UInt64>(0)
    /// In the names of statements, so that one of another connection is not taken for one of this one.
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// As `pg_stat_activity` has it.
    public let backendPID: Int32
    /// 150004 for PostgreSQL 15.4.
    public let serverVersion: Int

    /// Opens one.
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

    /// From now on all calls throw ``PostgreSQLError/closed``. A transaction that is open is undone.
    public func close() {
        // It sends a last message, but does not wait: the connection is in libpq's nonblocking mode.
        PQfinish(handle)
        handle = nil
        statements.removeAll()
        sent.removeAll()
    }

    /// Whether all later calls fail.
    public var isClosed: Bool { handle == nil }

    /// What the server tells of itself and of this session, as `server_version` or `TimeZone`.
    public func parameterStatus(_ name: String) -> String? {
        handle.flatMap { PQparameterStatus($0, name) }.map { String(cString: $0) }
    }

    /// Whether something was sent by ``send(_:)`` whose answers were not read.
    public var awaitsAnswers: Bool { !sent.isEmpty }

    /// Also when it has failed. While there are statements without an answer: if they succeed.
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

    /// Closes the connection for a reason that libpq has.
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

    /// The error that an answer tells, which closes the connection where it says that the session is over.
    func makeError(_ answer: Answer) -> PostgreSQLError {
        let report = answer.report(secrets)
        // The answer comes from libpq itself where the connection has broken.
        if PQstatus(handle) == CONNECTION_BAD, report.sqlstate.isEmpty { return lost(report.message) }
        let error = PostgreSQLError(report, commitIsUnknown: unanswered.isSent)
        if case .connectionLost = error { return lost(report.message) }
        return error
    }

    func newDeadline() -> Deadline { Deadline(after: answerTimeout) }
}
