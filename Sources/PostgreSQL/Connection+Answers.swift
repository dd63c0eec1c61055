// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

extension Connection {
    /// Returns the next answer; nil after the last answer of a statement.
    ///
    /// PQgetResult alone would wait forever for a server that has died. "A 0 return [of PQisBusy] indicates that
    /// PQgetResult can be called with assurance of not blocking." Until then: "wait for the socket to become read- or
    /// write-ready. If it becomes write-ready, call PQflush again. If it becomes read-ready, call PQconsumeInput, then
    /// call PQflush again."
    func nextAnswer(_ deadline: Deadline) throws(PostgreSQLError) -> Answer? {
        let handle = try open()
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            if PQisBusy(handle) == 0 { return PQgetResult(handle).map { Answer($0) } }
            try wait(for: unsent == 0 ? POLLIN : POLLIN | POLLOUT, deadline)
        }
    }

    /// Waits for the socket, and reads what has arrived, because a server whose answers are not read receives nothing.
    private func wait(for events: CInt, _ deadline: Deadline) throws(PostgreSQLError) {
        let handle = try open()
        guard let ready = Socket.wait(PQsocket(handle), for: events, until: deadline) else { throw timedOut() }
        guard ready & ~POLLOUT == 0 || PQconsumeInput(handle) == 1 else { throw lost() }
    }

    /// Sends a statement, and waits for its only answer.
    func answer(
        _ effect: SQLText.Effect, _ send: (OpaquePointer) -> CInt
    ) throws(PostgreSQLError) -> Answer {
        try receiveSent()
        let handle = try open()
        unanswered.send(effect)
        guard send(handle) == 1 else { throw lost() }
        let (answer, error) = try lastAnswer(newDeadline())
        if let error { throw error }
        guard let answer else { throw lost("the server has not answered") }
        guard answer.hasCommitted(effect) else { throw .rolledBack }
        return answer
    }

    /// Reads all answers to a statement.
    ///
    /// - Returns: the last answer, and the first error.
    func lastAnswer(_ deadline: Deadline) throws(PostgreSQLError) -> (Answer?, PostgreSQLError?) {
        var (last, failure): (Answer?, PostgreSQLError?)
        while let answer = try nextAnswer(deadline) {
            switch answer.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = answer
            case PGRES_FATAL_ERROR:
                let error = makeError(answer)
                guard !isClosed else { throw error }
                failure = failure ?? error
            // The server waits for the rows of a COPY, or sends rows of a COPY.
            default: throw lost("a statement began to copy")
            }
        }
        try settle()
        return (last, failure)
    }

    private static let utf8 = pg_char_to_encoding("UTF8")

    /// Checks the connection when all sent statements have been answered.
    func settle() throws(PostgreSQLError) {
        guard !notices.isUnconfirmed else { throw lost("the wait for the standby was cancelled") }
        unanswered.settle(isInsideTransaction: isInsideTransaction)
        guard PQclientEncoding(try open()) == Self.utf8 else {
            let encoding = parameterStatus("client_encoding") ?? ""
            _ = lost("a statement has set client_encoding to \(encoding)")
            throw .encodingIsNotUTF8(encoding)
        }
    }
}
