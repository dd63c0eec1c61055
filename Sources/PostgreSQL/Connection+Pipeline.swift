// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

extension Connection {
    /// Sends all statements of a pipeline, and then reads their answers. Each answer may take ``answerTimeout``.
    ///
    /// - Returns: the rows or the error of each statement, in the order of the statements. A statement that was not run
    ///   has the error ``PostgreSQLError/pipelineAborted``.
    /// - Throws: an error if the connection is lost; then nothing is known about any statement. Also throws the first
    ///   error of the statements that ``send(_:)`` sent before.
    public func run(_ pipeline: Pipeline) throws(PostgreSQLError) -> [Result<ResultRows, PostgreSQLError>] {
        // Errors before a sync do not keep the statements after it from being run, so the answers up to a sync are read
        // first.
        if pipeline.count > 0, sent.contains(nil) { try receiveSent() }
        guard pipeline.count > 0 || !sent.isEmpty else { return [] }
        let ahead = sent.count { $0 != nil }
        // The statements that were sent before may have ended with a sync.
        if pipeline.count > 0 || sent.last != .some(nil) { try enter(pipeline.steps + [.sync]) }
        let results = try receive()
        for result in results.prefix(ahead) { _ = try result.get() }
        return Array(results.dropFirst(ahead))
    }

    /// Sends the statements of a pipeline without waiting, so that PostgreSQL executes them while the caller continues.
    ///
    /// The next call on this connection, except another `send`, first reads their answers. If one of them is an error,
    /// the call throws the first error and does nothing else. Only ``rollback()`` ignores errors, because it undoes the
    /// statements. `ROLLBACK TO` and `AND CHAIN` must not be sent, because ``isInsideTransaction`` would take them for
    /// the end of the transaction until their answers are read.
    public func send(_ pipeline: Pipeline) throws(PostgreSQLError) {
        guard !pipeline.steps.isEmpty else { return }
        try enter(pipeline.steps)
        // Bytes that the server does not receive yet stay in libpq's memory.
        guard PQflush(try open()) >= 0 else { throw lost() }
    }

    /// Reads the answers to the statements that ``send(_:)`` has sent.
    ///
    /// - Throws: the first error among the answers.
    public func receiveSent() throws(PostgreSQLError) {
        guard !sent.isEmpty else { return }
        _ = try run(Pipeline())
    }

    private func enter(_ steps: [Pipeline.Step]) throws(PostgreSQLError) {
        let handle = try open()
        if sent.isEmpty {
            guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        }
        // Bytes that the server does not receive yet stay in libpq's memory until the answers are read. "If used in
        // blocking mode it is possible for a client/server deadlock to occur."
        for step in steps {
            guard send(step, handle) == 1 else { throw lost() }
            sent.append(step.effect)
        }
    }

    private func receive() throws(PostgreSQLError) -> [Result<ResultRows, PostgreSQLError>] {
        var results: [Result<ResultRows, PostgreSQLError>] = []
        results.reserveCapacity(sent.count)
        // The index of the first result that the next sync commits, if the statements have no transaction of their own.
        var uncommitted = 0
        for effect in sent {
            if let effect {
                results.append(try pipelinedResult(effect))
                if effect == .commits || effect == .rollsBack { uncommitted = results.count }
            } else {
                if let error = try syncError() { Self.undo(&results[uncommitted...], error) }
                uncommitted = results.count
            }
        }
        sent.removeAll(keepingCapacity: true)
        guard PQexitPipelineMode(try open()) == 1 else { throw lost() }
        try settle()
        return results
    }

    private func send(_ step: Pipeline.Step, _ handle: OpaquePointer) -> CInt {
        if let effect = step.effect { unanswered.send(effect) }
        return switch step {
        case .run(let statement, let parameters): parameters.send(handle, statement)
        case .execute(let sql, let parameters): parameters.send(handle, sql)
        case .sync: PQpipelineSync(handle)
        }
    }

    private func pipelinedResult(
        _ effect: SQLText.Effect
    ) throws(PostgreSQLError) -> Result<ResultRows, PostgreSQLError> {
        let deadline = newDeadline()
        guard let answer = try nextAnswer(deadline) else { throw outOfStep() }
        let result: Result<ResultRows, PostgreSQLError>
        switch answer.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            result = answer.hasCommitted(effect) ? .success(ResultRows(answer)) : .failure(.rolledBack)
        case PGRES_PIPELINE_ABORTED: result = .failure(.pipelineAborted)
        case PGRES_FATAL_ERROR:
            let error = makeError(answer)
            guard !isClosed else { throw error }
            result = .failure(error)
        // "Command strings containing multiple SQL commands are disallowed, and so is COPY."
        default: throw outOfStep()
        }
        // A NULL ends the answers of a statement, and the answers of the next statement follow it.
        guard try nextAnswer(deadline) == nil else { throw outOfStep() }
        return result
    }

    /// Returns the error of the transaction that a sync ends, for example of a constraint that is checked at the end.
    private func syncError() throws(PostgreSQLError) -> PostgreSQLError? {
        let deadline = newDeadline()
        var failure: PostgreSQLError?
        while true {
            // After such an error, a NULL and the sync must follow.
            guard let answer = try nextAnswer(deadline) else {
                guard failure != nil, let sync = try nextAnswer(deadline), sync.status == PGRES_PIPELINE_SYNC else {
                    throw outOfStep()
                }
                return failure
            }
            if answer.status == PGRES_PIPELINE_SYNC { return failure }
            guard answer.status == PGRES_FATAL_ERROR, failure == nil else { throw outOfStep() }
            let error = makeError(answer)
            guard !isClosed else { throw error }
            failure = error
        }
    }

    /// Replaces successful results by errors, because their transaction was undone. The last of them gets the reason.
    private static func undo(
        _ results: inout ArraySlice<Result<ResultRows, PostgreSQLError>>, _ error: PostgreSQLError
    ) {
        for index in results.indices {
            guard case .success = results[index] else { continue }
            results[index] = .failure(index == results.endIndex - 1 ? error : .rolledBack)
        }
    }

    private func outOfStep() -> PostgreSQLError { lost("the answers of a pipeline are not in their order") }
}
