// SPDX-License-Identifier: Apache-2.0

import Failpoints
import PostgreSQL

extension PostgreSQLEngine {
    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        guard !batch.isEmpty else { return AppliedBatch() }
        try admit()
        do {
            let applied = try attempt(batch)
            remote.enter(.writable)
            if !applied.changes.isEmpty { readerBehind.index.nudge() }
            return applied
        } catch {
            throw failed(EngineError(error))
        }
    }

    private func attempt(_ batch: [WriteRequest]) throws -> AppliedBatch {
        var isGuarded = false
        var triesLeft = 3
        while true {
            triesLeft -= 1
            do {
                return try transaction(batch, isGuarded: isGuarded)
            } catch is NotCommitted {
                // The connection was lost and is there again: nothing of the batch was done.
                guard triesLeft > 0 else { throw EngineError.unreachable("each COMMIT was cut off") }
            } catch let error where !isGuarded && triesLeft > 0 && EngineError.isOfOneCommand(error) {
                // As with SQLite: a savepoint for each command isolates the one that fails.
                isGuarded = true
            }
        }
    }

    /// The batch was not committed, and cannot be any more.
    private struct NotCommitted: Error {}

    private func transaction(_ batch: [WriteRequest], isGuarded: Bool) throws -> AppliedBatch {
        let (mark, known, now) = (rules.mark, rules.runner.accountRevision, tuning.uptime())
        var applied = AppliedBatch()
        do {
            try set.prefetch(batch)
            applied.replies = try rules.run(batch, isGuarded: isGuarded, uptime: now)
            if rules.runner.accountRevision > known {
                // Inside of the transaction, which sees what it has written.
                applied.accounts = try PostgreSQLAccounts(set.connection).news(since: known)
            }
            Failpoint.hit(.beforeCommit)
            try commit()
        } catch {
            rules.rollBack(to: mark)
            set.rolledBack()
            if set.connection.isInsideTransaction { try? set.connection.rollback() }
            if WriterTerm.isLost(error) { throw EngineError.superseded }
            throw error
        }
        set.committed()
        applied.changes = rules.committed(uptime: now)
        return applied
    }

    private func commit() throws {
        let connection = set.connection
        let head = rules.runner.head
        var pipeline = Pipeline()
        if !connection.isInsideTransaction {
            try pipeline.add(connection, Connection.TransactionKind.readCommitted.rawValue)
        }
        // Before the rows: a storage that was replaced must not wait for those of the other one.
        try term.move(to: head, newest: set.newestRemoved, in: &pipeline, connection)
        try set.addWrites(to: &pipeline)
        try pipeline.add(connection, "COMMIT")
        let begun = ContinuousClock.now
        do throws(PostgreSQLError) {
            for result in try connection.run(pipeline) { _ = try result.get() }
        } catch {
            guard error.commitIsUnknown else { throw error }
            logger.warning(
                "the answer to a COMMIT is lost: looking whether it was done", metadata: ["error": "\(error)"])
            let before = term.commits
            try reconnect(untilStopped: true)
            guard term.commits == before + 1 else { throw NotCommitted() }
            return
        }
        remote.confirm(since: begun)
        term.commits += 1
        term.head = head
    }
}
