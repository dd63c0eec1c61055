// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import StorageRules

/// The rows that a batch has read and changed, in memory.
///
/// The rules ask for one row at a time, which over a network would cost a round trip each. So the rows that a batch
/// will need are read together beforehand, the rules run on them here, and their changes are sent in pipelines, the
/// last one with the COMMIT. Rows that were not foreseen are read when they are asked for. No other writer can change
/// rows that were read: the commit would fail (``WriterTerm``).
final class WorkingSet {
    /// The writer's session. When its connection is lost, the rows read by then are forgotten.
    let session: WriterSession
    var connection: Connection { session.connection }

    var landmarks = RowCache<UInt64, StoredLandmark>()
    var notes = RowCache<UInt64, (low: UInt64, landmark: UInt64)>()
    var sources = RowCache<SourceKey, RememberedRow>()
    var changes: [ChangeRow] = []
    var points: [PointRow] = []
    var answers = Ends<AnswerRow>()
    var marks = Ends<MarkRow>()
    /// The first half of the greatest id ever removed.
    var newestRemoved: UInt64
    private var committedNewest: UInt64

    /// Pending changes of a table whose rows are added at one end and deleted at the other.
    struct Ends<Row> {
        var new: [Row] = []
        /// The ids of rows to delete.
        var old: Range<UInt64>?
    }

    struct ChangeRow {
        var head: Head
        var previous: UInt64
        var at: UInt64
        var operation: UInt64
        var version: UInt64
        var user: String
        var payload: [UInt8]
    }

    struct PointRow {
        var landmark: UInt64
        var point: TrackPoint
        var written: UInt64
    }

    struct AnswerRow {
        var id: UInt64
        var key: AnswerBook.Key
        var answer: AnswerBook.Answer
    }

    struct MarkRow {
        var id: UInt64
        var client: UUIDv7
        var sequence: UInt64
    }

    init(_ session: WriterSession, newestRemoved: UInt64) {
        self.session = session
        (self.newestRemoved, committedNewest) = (newestRemoved, newestRemoved)
    }

    private func begin() throws {
        var pipeline = Pipeline()
        try addBegin(to: &pipeline)
        for result in try connection.run(pipeline) { _ = try result.get() }
    }

    /// Begins the transaction, or makes sure that it has begun.
    ///
    /// - Parameter locks: whether to lock the row of `history`. It has to be locked before the first row of the batch:
    ///   a storage that was replaced must not wait for rows of its successor, which would wait for rows of this one.
    func addBegin(to pipeline: inout Pipeline, locks: Bool = true) throws {
        if !connection.isInsideTransaction {
            try pipeline.add(connection, Connection.TransactionKind.readCommitted.rawValue)
            if locks { try session.term.lock(in: &pipeline, connection) }
        } else if connection.awaitsAnswers {
            // The BEGIN may fail too, for example by pg_cancel_backend. Each part sent after it would then be a
            // transaction of its own. This statement fails instead: "PostgreSQL reports an error if LOCK is used
            // outside a transaction block."
            try pipeline.add(connection, "LOCK TABLE history IN ACCESS SHARE MODE")
        }
    }

    /// Writes the changes so far in the open transaction, for statements that have to see them.
    func settle() throws {
        var pipeline = Pipeline()
        try addBegin(to: &pipeline)
        try addWrites(to: &pipeline)
        for result in try connection.run(pipeline) { _ = try result.get() }
        written()
    }

    /// Notes that all changes are in statements. Later commands of the batch still find the rows here.
    func written() {
        landmarks.written()
        notes.written()
        sources.written()
        forgetWrites()
    }

    /// Runs `body`, and undoes all that it wrote if it throws or returns false.
    func inSavepoint(_ body: () throws -> Bool) throws {
        try settle()
        try connection.rows("SAVEPOINT part")
        let newest = newestRemoved
        var isKept = false
        defer { if !isKept { newestRemoved = newest } }
        do {
            isKept = try body()
            // Writes now, so that a refusal of the writes of `body` comes here.
            if isKept { try settle() } else { try undoPart() }
        } catch {
            isKept = false
            if connection.isInsideTransaction { try? undoPart() }
            throw error
        }
        try connection.rows("RELEASE SAVEPOINT part")
    }

    private func undoPart() throws {
        clear()
        try connection.rows("ROLLBACK TO SAVEPOINT part")
    }

    /// Forgets all rows: the next batch reads anew.
    func clear() {
        landmarks.removeAll()
        notes.removeAll()
        sources.removeAll()
        forgetWrites()
    }

    func rolledBack() {
        clear()
        newestRemoved = committedNewest
    }

    func committed() { committedNewest = newestRemoved }

    private func forgetWrites() {
        changes.removeAll(keepingCapacity: true)
        points.removeAll()
        answers.new.removeAll(keepingCapacity: true)
        (answers.old, marks) = (nil, Ends())
    }
}

/// Statements in the batch's transaction, which begins with the first statement that writes.
extension WorkingSet: SQLSession {
    var dialect: SQLDialect { connection.dialect }

    func write(_ sql: String, _ values: [StoredValue]) throws {
        try begin()
        try connection.write(sql, values)
    }

    func write(_ sql: String, each rows: [[StoredValue]]) throws {
        try begin()
        try connection.write(sql, each: rows)
    }

    func forEach(_ sql: String, _ values: [StoredValue], _ body: (any StoredRow) throws -> Bool) throws {
        try connection.forEach(sql, values, body)
    }
}
