// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

/// A connection that is being opened. When this object ends, the connection is closed unless it was taken.
final class ConnectionAttempt {
    let handle: OpaquePointer
    let notices = Notices()
    private var isTaken = false
    private(set) var secrets: Secrets
    private let deadline: Deadline
    private let timeout: Duration

    init(_ configuration: Configuration) throws(PostgreSQLError) {
        (secrets, timeout) = (configuration.url.secrets, configuration.connectTimeout)
        deadline = Deadline(after: configuration.connectTimeout)
        // Later keywords override the URL, which libpq parses again.
        let words = [
            ("dbname", configuration.url.text), ("client_encoding", "UTF8"),
            ("fallback_application_name", configuration.applicationName.filter { $0 != "\0" }),
        ]
        let expandsURL: CInt = 1
        let started = CStrings.withPointers(words.map(\.0)) { keywords in
            CStrings.withPointers(words.map(\.1)) { values in PQconnectStartParams(keywords, values, expandsURL) }
        }
        guard let started else { throw .cannotConnect("libpq has no memory") }
        handle = started
        // Without a receiver, libpq prints notices to stderr.
        notices.receive(from: handle)
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    }

    deinit {
        if !isTaken { PQfinish(handle) }
    }

    func take() -> OpaquePointer {
        isTaken = true
        return handle
    }

    /// Waits until the connection is open and has been checked.
    func finish() throws(PostgreSQLError) {
        if PQstatus(handle) == CONNECTION_BAD { throw refused() }
        // "If you have yet to call PQconnectPoll […], behave as if it last returned PGRES_POLLING_WRITING."
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING else { throw refused() }
            // "Caution: do not assume that the socket remains the same across PQconnectPoll calls."
            let events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard Socket.wait(PQsocket(handle), for: events, until: deadline) != nil else {
                throw .cannotConnect("nobody has answered in \(timeout)")
            }
            step = PQconnectPoll(handle)
        }
        if let password = PQpass(handle) { secrets.add(String(cString: password)) }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        // The requested encoding overrides the settings of the role and the database, but a proxy may change it.
        let encoding = PQparameterStatus(handle, "client_encoding").map { String(cString: $0) } ?? ""
        guard encoding == "UTF8" else { throw .encodingIsNotUTF8(encoding) }
        guard PQsetnonblocking(handle, 1) == 0 else { throw refused() }
    }

    private func refused() -> PostgreSQLError {
        // The password may come from a file or the environment.
        if let password = PQpass(handle) { secrets.add(String(cString: password)) }
        let message = LibpqMessage(secrets.hidden(in: PQerrorMessage(handle).map { String(cString: $0) } ?? ""))
        if let report = message.refusal { return PostgreSQLError(connecting: report) }
        // "Returns true (1) if the connection authentication method required a password, but none was available."
        if PQconnectionNeedsPassword(handle) == 1 { return .authenticationFailed(message.firstLine) }
        return .cannotConnect(message.firstLine)
    }
}
