// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

extension Connection {
    /// Sends all statements of a pipeline, and then reads their answers. Each may take ``answerTimeout``.
    ///
    /// - Returns: the rows or the error of each statement, in their order; ``PostgreSQLError/pipelineAborted`` for
    ///   statements that were not run.
    /// - Throws: an error if the connection is lost; then nothing is known of any statement. Also the first error of
    ///   statements that were sent by ``send(_:)`` before.
    public func run(_ pipeline: Pipeline) throws(PostgreSQLError) -> [Result<ResultRows, PostgreSQLError>] {
        // An error in a part that has ended would not keep these statements from being run, so its answers are read
        // first.
        if pipeline.count > 0, sent.contains(nil) { try receiveSent() }
        guard pipeline.count > 0 || !sent.isEmpty else { return [] }
        let ahead = sent.count { $0 != nil }
        // The statements sent before may have ended with a sync.
        if pipeline.count > 0 || sent.last != .some(nil) { try enter(pipeline.steps + [.sync]) }
        let results = try receive()
        for result in results.prefix(ahead) { _ = try result.get() }
        return Array(results.dropFirst(ahead))
    }

    /// Sends the statements of a pipeline without waiting, so that PostgreSQL executes them while the caller goes on.
    ///
    /// The next call on this connection, except another `send`, reads their answers. It throws the first error among
    /// them, and does nothing else then. Only ``rollback()`` ignores errors, because it undoes the statements.
    /// `ROLLBACK TO` and `AND CHAIN` must not be sent: until their answers are read, ``isInsideTransaction`` would take
    /// them for the end of the transaction.
    public func send(_ pipeline: Pipeline) throws(PostgreSQLError) {
        guard !pipeline.steps.isEmpty else { return }
        try enter(pipeline.steps)
        // Bytes that the server does not take yet wait in libpq's memory.
        guard PQflush(try open()) >= 0 else { throw lost() }
    }

    /// Reads the answers to the statements sent by ``send(_:)``.
    ///
    /// - Throws: the first error among them.
    public func receiveSent() throws(PostgreSQLError) {
        guard !sent.isEmpty else { return }
        _ = try run(Pipeline())
    }

    private func enter(_ steps: [Pipeline.Step]) throws(PostgreSQLError) {
        let handle = try open()
        if sent.isEmpty {
            guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        }
        // Bytes that the server does not take yet wait in libpq's memory until the answers are read. "If used in
        // blocking mode it is possible for a client/server deadlock to occur."
        for step in steps {
            guard send(step, handle) == 1 else { throw lost() }
            sent.append(step.effect)
        }
    }

    private func receive() throws(PostgreSQLError) -> [Result<ResultRows, PostgreSQLError>] {
        var results: [Result<ResultRows, PostgreSQLError>] = []
        results.reserveCapacity(sent.count)
        // The first result that the next sync commits, if a part has no transaction of its own.
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
        // A NULL ends the answers of a statement. Only then come those of the next.
        guard try nextAnswer(deadline) == nil else { throw outOfStep() }
        return result
    }

    /// The error of a part's transaction at its end, for example of a constraint that is checked there.
    private func syncError() throws(PostgreSQLError) -> PostgreSQLError? {
        let deadline = newDeadline()
        var failure: PostgreSQLError?
        while true {
            // After such an error come a NULL and the sync. Anything else is out of step.
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

    /// Marks the successful results of a part as undone. The last of them gets the reason.
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
