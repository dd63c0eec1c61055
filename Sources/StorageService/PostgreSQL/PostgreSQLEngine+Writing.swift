// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import Support

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
        let (mark, known, now) = (rules.mark, rules.runner.accounts.revision, tuning.uptime())
        var applied = AppliedBatch()
        let ended: BatchRunner.EndedBatch
        do {
            try set.prefetch(batch[...])
            applied.replies = try rules.run(batch[...], isGuarded: isGuarded, uptime: now) { left in
                // Where each request has a savepoint, what it wrote was sent with it.
                if !isGuarded, left >= Self.fewest, set.answers.count >= Self.fewest { try sendAhead() }
            }
            ended = try rules.end(uptime: now)
            if rules.runner.accounts.revision > known {
                // Inside of the transaction, which sees what it has written.
                applied.accounts = try PostgreSQLAccounts(set.connection).news(since: known, limit: nil)
                applied.accounts?.forgotten = rules.runner.accounts.forgotten
            }
            Failpoint.hit(.beforeCommit)
            try commit(ended.head)
        } catch {
            rules.abandon(to: mark)
            set.rolledBack()
            if set.connection.isInsideTransaction { try? set.connection.rollback() }
            if WriterTerm.isLost(error) { throw EngineError.superseded }
            throw error
        }
        set.committed()
        rules.committed(ended, uptime: now)
        applied.changes = ended.changes
        return applied
    }

    /// The fewest requests whose rows are sent ahead, and that must be left then: PostgreSQL gets a statement for each table
    /// every time.
    static let fewest = 64

    /// Has PostgreSQL execute what the batch has written so far, and does not wait for it.
    private func sendAhead() throws {
        var pipeline = Pipeline()
        try set.addBegin(to: &pipeline)
        try set.addWrites(to: &pipeline)
        // Without it the server would not take the session for idle if this storage froze now: only then does it end it.
        pipeline.sync()
        try set.connection.send(pipeline)
        set.written()
    }

    private func commit(_ head: Head) throws {
        let connection = set.connection
        var pipeline = Pipeline()
        // Moving the head locks it.
        try set.addBegin(to: &pipeline, locks: false)
        try term.move(to: head, newest: set.newestRemoved, in: &pipeline, connection)
        try set.addWrites(to: &pipeline)
        try pipeline.add(connection, "COMMIT")
        pipeline.sync()
        let begun = ContinuousClock.now
        do throws(PostgreSQLError) {
            try connection.send(pipeline)
            set.clear()
            try connection.receiveSent()
        } catch {
            guard error.commitIsUnknown else { throw error }
            logger.warning(
                "the answer to a COMMIT is lost: looking whether it was done", metadata: ["error": "\(error)"])
            let before = term.commits
            do { try reconnect(untilStopped: true) } catch {
                // A stop, or a successor, whose answers may have this batch.
                _ = failed(EngineError(error))
                throw EngineError.undecided
            }
            guard term.commits == before + 1 else { throw NotCommitted() }
            return
        }
        remote.confirm(since: begun)
        term.commits += 1
        term.head = head
    }
}
