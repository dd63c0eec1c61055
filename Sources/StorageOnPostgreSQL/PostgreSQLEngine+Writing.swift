// SPDX-License-Identifier: Apache-2.0

import PostgreSQL
import StorageRules
import Support

extension PostgreSQLEngine {
    package func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch {
        guard !batch.isEmpty else { return AppliedBatch() }
        try session.admit()
        do {
            let applied = try attempt(batch)
            control.enter(.writable)
            if !applied.changes.isEmpty { index.nudge() }
            return applied
        } catch {
            throw session.failed(error)
        }
    }

    private func attempt(_ batch: [WriteRequest]) throws -> AppliedBatch {
        var isGuarded = false
        var triesLeft = 3
        while true {
            triesLeft -= 1
            do {
                return try transaction(batch, isGuarded: isGuarded)
            } catch is WriterSession.NotCommitted {
                // The lost connection has been replaced, and nothing of the batch was committed.
                guard triesLeft > 0 else { throw EngineError.unreachable("each COMMIT was cut off") }
            } catch let error where !isGuarded && triesLeft > 0 && EngineError.isOfOneCommand(error) {
                // Use a savepoint for each command, so that only the failing one is refused, as with SQLite.
                isGuarded = true
            }
        }
    }

    private func transaction(_ batch: [WriteRequest], isGuarded: Bool) throws -> AppliedBatch {
        do {
            try set.prefetch(batch[...])
            let applied = try rules.apply(
                batch, in: set, isGuarded: isGuarded, uptime: tuning.uptime(),
                afterEach: { left in
                    // If each request has a savepoint, its rows have already been sent.
                    if !isGuarded, left >= Self.fewest, set.answers.new.count >= Self.fewest { try sendAhead() }
                },
                commit: { _, head in
                    Failpoint.hit(.beforeCommit)
                    try commit(head)
                })
            set.committed()
            return applied
        } catch {
            set.rolledBack()
            if set.connection.isInsideTransaction { try? set.connection.rollback() }
            if WriterTerm.isLost(error) { throw EngineError.superseded }
            throw error
        }
    }

    /// The minimum number of executed requests, and of requests still to execute, for sending rows ahead. Sending ahead
    /// costs PostgreSQL one more statement for each table.
    static let fewest = 64

    /// Lets PostgreSQL execute the writes of the batch so far, without waiting for the answers.
    private func sendAhead() throws {
        var pipeline = Pipeline()
        try set.addBegin(to: &pipeline)
        try set.addWrites(to: &pipeline)
        // If this storage freezes, idle_in_transaction_session_timeout ends the session, but only an idle session.
        // Without a sync, this session would not be idle.
        pipeline.sync()
        try set.connection.send(pipeline)
        set.written()
    }

    private func commit(_ head: Head) throws {
        var pipeline = Pipeline()
        // Moving the head locks the row of `history`, so no other lock is needed.
        try set.addBegin(to: &pipeline, locks: false)
        try session.term.move(to: head, newest: set.lastRemoved, in: &pipeline, session.connection)
        try set.addWrites(to: &pipeline)
        try pipeline.add(session.connection, "COMMIT")
        pipeline.sync()
        try session.commit(pipeline, to: head) { set.clear() }
    }
}
