// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL
import Glibc

extension Connection {
    /// Sends all statements of a pipeline, and then reads their answers, each within the answer's time.
    ///
    /// - Returns: for each statement its rows or its error, in their order;
    ///   ``PostgreSQLError/pipelineAborted`` for those that were not run.
    /// - Throws: when the connection is lost. Then nothing is known of any of them. Also the first error of what was sent
    ///   by ``send(_:)`` before.
    public func run(_ pipeline: Pipeline) throws(PostgreSQLError) -> [Result<Rows, PostgreSQLError>] {
        // An error in a part that has ended would not keep these from being run.
        if pipeline.count > 0, sent.contains(nil) { try receiveSent() }
        guard pipeline.count > 0 || !sent.isEmpty else { return [] }
        let ahead = sent.count { $0 != nil }
        // What was sent may have ended with one.
        if pipeline.count > 0 || sent.last != .some(nil) { try enter(pipeline.steps + [.sync]) }
        let results = try receive()
        for result in results.prefix(ahead) { _ = try result.get() }
        return Array(results.dropFirst(ahead))
    }

    /// Sends the statements of a pipeline and does not wait, so that PostgreSQL executes them while the caller goes on.
    ///
    /// The next call on this connection, but for another `send`, reads their answers. It throws the first error among
    /// them and does nothing else then; ``rollback()`` does not, because it undoes them. `ROLLBACK TO` and `AND CHAIN` are
    /// not for it: until then ``isInsideTransaction`` would take them for an end.
    public func send(_ pipeline: Pipeline) throws(PostgreSQLError) {
        guard !pipeline.steps.isEmpty else { return }
        try enter(pipeline.steps)
        // What the server does not take yet waits in libpq's memory.
        guard PQflush(try open()) >= 0 else { throw lost() }
    }

    /// Reads the answers to what was sent by ``send(_:)``.
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
        // What the server does not take yet waits in libpq's memory until the answers are read. "If used in blocking mode
        // it is possible for a client/server deadlock to occur."
        for step in steps {
            guard send(step, handle) == 1 else { throw lost() }
            sent.append(step.effect)
        }
    }

    private func receive() throws(PostgreSQLError) -> [Result<Rows, PostgreSQLError>] {
        var results: [Result<Rows, PostgreSQLError>] = []
        results.reserveCapacity(sent.count)
        // What the next sync commits, where a part has no transaction of its own.
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

    private func pipelinedResult(_ effect: SQLText.Effect) throws(PostgreSQLError) -> Result<Rows, PostgreSQLError> {
        let deadline = newDeadline()
        guard let answer = try nextAnswer(deadline) else { throw outOfStep() }
        let result: Result<Rows, PostgreSQLError>
        switch answer.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            result = answer.hasCommitted(effect) ? .success(Rows(answer)) : .failure(.rolledBack)
        case PGRES_PIPELINE_ABORTED: result = .failure(.pipelineAborted)
        case PGRES_FATAL_ERROR:
            let error = makeError(answer)
            guard !isClosed else { throw error }
            result = .failure(error)
        // "Command strings containing multiple SQL commands are disallowed, and so is COPY."
        default: throw outOfStep()
        }
        // A NULL ends a statement's answers, and only then come those of the next.
        guard try nextAnswer(deadline) == nil else { throw outOfStep() }
        return result
    }

    /// What the transaction of a part failed with at its end, as a constraint does that is checked there.
    private func syncError() throws(PostgreSQLError) -> PostgreSQLError? {
        let deadline = newDeadline()
        var failure: PostgreSQLError?
        while true {
            // After such an error a NULL comes, and then the sync. More than these is not an answer.
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

    /// What had succeeded is undone, and the last of it bears the reason.
    private static func undo(
        _ results: inout ArraySlice<Result<Rows, PostgreSQLError>>, _ error: PostgreSQLError
    ) {
        for index in results.indices {
            guard case .success = results[index] else { continue }
            results[index] = .failure(index == results.endIndex - 1 ? error : .rolledBack)
        }
    }

    private func outOfStep() -> PostgreSQLError { lost("the answers of a pipeline are not in their order") }
}
