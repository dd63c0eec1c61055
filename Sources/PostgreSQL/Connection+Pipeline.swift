// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

extension Connection {
    /// Sends all statements of a pipeline, and then reads their answers, each within the answer's time.
    ///
    /// - Returns: for each statement its rows or its error, in their order;
    ///   ``PostgreSQLError/pipelineAborted`` for those that were not run.
    /// - Throws: when the connection is lost. Then nothing is known of any of them.
    public func run(_ pipeline: Pipeline) throws(PostgreSQLError) -> [Result<Rows, PostgreSQLError>] {
        let handle = try open()
        guard pipeline.count > 0 else { return [] }
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        // What the server does not take yet waits in libpq's memory until the answers are read. "If used in blocking mode
        // it is possible for a client/server deadlock to occur."
        let steps = pipeline.steps + [.sync]
        for step in steps {
            guard send(step, handle) == 1 else { throw lost() }
        }
        var results: [Result<Rows, PostgreSQLError>] = []
        results.reserveCapacity(pipeline.count)
        // What the next sync commits, where a part has no transaction of its own.
        var uncommitted = 0
        for step in steps {
            if let effect = step.effect {
                results.append(try pipelinedResult(effect))
                if effect == .commits || effect == .rollsBack { uncommitted = results.count }
            } else {
                if let error = try syncError() { Self.undo(&results[uncommitted...], error) }
                uncommitted = results.count
            }
        }
        guard PQexitPipelineMode(handle) == 1 else { throw lost() }
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
