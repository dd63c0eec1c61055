// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import StorageRules

/// The term of a writer, which makes sure that only one of many storages is the writer of a database at a time.
///
/// The term in the row of `history` decides. A storage that takes over increases it. Each batch moves the head in its
/// own transaction, but only if `epoch`, `term` and `commits` are still as this writer left them. A writer that was
/// replaced while it was suspended or cut off cannot commit any more, because its statement finds no row. The advisory
/// lock only shortens the wait of other storages. It cannot decide, because a busy server process still holds it after
/// its client was killed.
///
/// A writer also increases the term when it connects again. Then nothing that the lost connection sent can be committed
/// later, and `commits` shows whether it was committed before.
struct WriterTerm: Hashable {
    /// The first key of the advisory lock, "WAYM". The second key is `database`.
    static let lock: Int32 = 0x5741_594d
    /// The second key of the advisory lock, because one PostgreSQL database may hold several Waymark databases in
    /// different schemas.
    private static let database = "hashtext(current_schema())"

    let epoch: UUIDv7
    let term: UInt64
    /// The number of commits in this and all earlier terms. The same statement counts a commit and moves the head, and
    /// only the writer of a term runs it, so the same number in the same term means the same head. Batches without a
    /// revision are counted too.
    var commits: UInt64
    var head: Head

    /// Takes over the term, whichever storage has it.
    init(takingOver connection: Connection) throws {
        try self.init(
            connection,
            "UPDATE history SET term = term + 1 RETURNING epoch_high, epoch_low, term, commits, rev, landmarks", [])
    }

    /// Increases the term of this storage after its connection was lost. Waits for a transaction that is committing.
    ///
    /// Each storage that takes over records its run, so the newest run shows whether another storage has taken over.
    /// The term alone does not show this, because an interrupted attempt of this storage may have increased it too.
    ///
    /// - Throws: ``EngineError/superseded`` if another storage has taken over, or if commits of this storage are
    ///   missing because somebody has restored an older copy.
    func renewed(_ connection: Connection, run: UUIDv7) throws -> WriterTerm {
        let renewed = try WriterTerm(
            connection,
            """
            UPDATE history SET term = term + 1 WHERE epoch_high = $1 AND epoch_low = $2 AND term >= $3
                AND (SELECT max(id) FROM runs) = (SELECT id FROM runs WHERE run_high = $4 AND run_low = $5)
            RETURNING epoch_high, epoch_low, term, commits, rev, landmarks
            """, [.bits(epoch.high), .bits(epoch.low), .bits(term), .bits(run.high), .bits(run.low)])
        // One commit more than is known here is the batch whose COMMIT was interrupted.
        guard renewed.commits == commits || renewed.commits == commits + 1 else { throw EngineError.superseded }
        return renewed
    }

    private init(_ connection: Connection, _ sql: String, _ values: [StoredValue]) throws {
        let found = try connection.value(sql, values) { row in
            (
                UUIDv7(high: try row.bits(0), low: try row.bits(1)), try row.bits(2), try row.bits(3),
                Head(rev: try row.bits(4), landmarks: try row.bits(5))
            )
        }
        guard let found else { throw EngineError.superseded }
        (epoch, term, commits, head) = found
    }

    /// The values by which a statement recognises the row of `history` of this term.
    private var parameters: [Parameter] { [.bits(epoch.high), .bits(epoch.low), .bits(term)] }

    /// Moves the head. Fails with a division by zero if this storage is no longer the writer, because in a pipeline
    /// only an error keeps the statements after it from being run.
    func move(
        to head: Head, newest: UInt64, in pipeline: inout Pipeline, _ connection: Connection
    ) throws(PostgreSQLError) {
        try pipeline.add(
            connection,
            """
            WITH moved AS (
                UPDATE history SET rev = $1, landmarks = $2, newest = $3, commits = commits + 1
                WHERE epoch_high = $4 AND epoch_low = $5 AND term = $6 AND commits = $7 RETURNING 1
            )
            SELECT 1 / count(*)::int4 FROM moved
            """, [.bits(head.rev), .bits(head.landmarks), .bits(newest)] + parameters + [.bits(commits)])
    }

    /// Locks the row of `history`, so that no storage takes over before the transaction has ended. Fails as
    /// ``move(to:newest:in:_:)`` does.
    func lock(in pipeline: inout Pipeline, _ connection: Connection) throws(PostgreSQLError) {
        try pipeline.add(
            connection,
            """
            WITH locked AS (
                SELECT 1 FROM history WHERE epoch_high = $1 AND epoch_low = $2 AND term = $3 AND commits = $4
                FOR NO KEY UPDATE
            )
            SELECT 1 / count(*)::int4 FROM locked
            """, parameters + [.bits(commits)])
    }

    /// Locks the row of `history`, so that no storage takes over before the open transaction has ended.
    ///
    /// - Throws: ``EngineError/superseded`` if this storage is no longer the writer.
    func require(_ connection: Connection) throws {
        let rows = try connection.rows(
            "SELECT 1 FROM history WHERE epoch_high = $1 AND epoch_low = $2 AND term = $3 FOR UPDATE", parameters)
        guard rows.count == 1 else { throw EngineError.superseded }
    }

    /// Shows other storages that this writer is alive.
    ///
    /// - Throws: ``EngineError/superseded`` if this storage is no longer the writer.
    func beat(_ connection: Connection) throws {
        let rows = try connection.rows(
            "UPDATE history SET beats = beats + 1 WHERE epoch_high = $1 AND epoch_low = $2 AND term = $3", parameters)
        guard rows.affectedRows == 1 else { throw EngineError.superseded }
    }

    // MARK: The lock

    /// Takes the advisory lock for the session, and returns whether it could.
    static func takesLock(_ connection: Connection) throws -> Bool {
        try connection.rows("SELECT pg_try_advisory_lock($1, \(database))", [.int4(lock)]).first?.bool(0) ?? false
    }

    /// Takes the lock from a silent storage by ending its session. This also undoes its uncommitted writes, so that
    /// nobody has to wait for the rows that they have locked.
    ///
    /// - Returns: whether the connection has the lock. Writing does not need the lock, so the lock may be taken later.
    static func seizeLock(_ connection: Connection) throws -> Bool {
        do {
            try connection.rows(
                """
                SELECT pg_terminate_backend(pid, 1000) FROM pg_locks
                WHERE locktype = 'advisory' AND classid = $1 AND objid::int8 = \(database)::int8 & 4294967295
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """, [.int8(Int64(lock))])
        } catch {
            // The session may belong to a user whose sessions this user must not end.
            guard !connection.isClosed else { throw error }
        }
        return try takesLock(connection)
    }

    /// Whether an error is the division by zero of ``move(to:newest:in:_:)`` or ``lock(in:_:)``.
    static func isLost(_ error: any Error) -> Bool {
        if case .other("22012", _)? = error as? PostgreSQLError { true } else { false }
    }
}
