// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

extension Connection {
    /// Runs a `COPY … FROM STDIN (FORMAT binary)` with the rows that `body` appends. Meanwhile the connection can do nothing
    /// else: another call in `body` would lose it.
    ///
    /// - Returns: how many rows were copied: all, or none when it throws.
    @discardableResult
    public func copy(_ sql: String, _ body: (CopyWriter) throws -> Void) throws -> Int {
        try receiveSent()
        let (handle, text) = (try open(), try SQLText(sql))
        try beginCopy(handle, text)
        let writer = CopyWriter(self)
        defer { writer.end() }
        do {
            try body(writer)
            try writer.finish()
        } catch {
            if !isClosed { _ = try endCopy("the client has stopped it") }
            throw error
        }
        let (answer, error) = try endCopy(nil)
        if let error { throw error }
        return answer.map { Rows($0).affectedRows } ?? 0
    }

    private func beginCopy(_ handle: OpaquePointer, _ sql: SQLText) throws(PostgreSQLError) {
        unanswered.send(sql.effect)
        guard try Parameters([]).send(handle, sql) == 1 else { throw lost() }
        let deadline = newDeadline()
        let answer = try nextAnswer(deadline)
        switch answer?.status {
        case PGRES_COPY_IN?: return
        case PGRES_FATAL_ERROR?:
            let error = answer.map { makeError($0) }
            if !isClosed { _ = try lastAnswer(deadline) }
            throw error ?? .closed
        case PGRES_COMMAND_OK?, PGRES_TUPLES_OK?, PGRES_EMPTY_QUERY?:
            _ = try lastAnswer(deadline)
            throw .other(sqlstate: "", message: "the statement is no COPY FROM STDIN")
        default: throw lost("a statement for `copy` has copied to this side")
        }
    }

    /// - Parameter reason: undoes the copy.
    private func endCopy(_ reason: String?) throws(PostgreSQLError) -> (Answer?, PostgreSQLError?) {
        let (handle, deadline) = (try open(), newDeadline())
        try repeatedly(until: deadline) { PQputCopyEnd(handle, reason) }
        return try lastAnswer(deadline)
    }

    /// - Parameter put: "The result is 1 if the data was queued, zero if it was not queued because of full buffers (this
    ///   will only happen in nonblocking mode), or -1 if an error occurred. If the value is zero, wait for write-ready and
    ///   try again."
    func repeatedly(until deadline: Deadline, _ put: () -> CInt) throws(PostgreSQLError) {
        while true {
            switch put() {
            case 1: return
            case 0: try wait(for: POLLIN | POLLOUT, deadline)
            default: throw lost()
            }
        }
    }
}
