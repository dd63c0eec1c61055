// SPDX-License-Identifier: Apache-2.0

import Landmarks
import PostgreSQL
import StorageRules

/// The rows in memory that a batch has read and changed.
///
/// The rules read one row at a time, and over a network each read would cost a round trip. So the rows that a batch
/// will need are read together in advance, the rules use them here, and the changes are sent in pipelines, of which the
/// last includes the COMMIT. Rows that were not foreseen are read when the rules need them. If another writer changed
/// rows that were read, the commit would fail (``WriterTerm``).
final class WorkingSet {
    /// The writer's session. When its connection is lost, the rows that were read before are forgotten.
    let session: WriterSession
    var connection: Connection { session.connection }

    var landmarks = RowCache<UInt64, StoredLandmark>()
    var notes = RowCache<UInt64, (low: UInt64, landmark: UInt64)>()
    var sources = RowCache<SourceKey, RememberedRow>()
    var changes: [ChangeRow] = []
    /// No landmark is here twice: before it can be removed again, it is restored, for which these rows are written.
    var removals: [(key: UInt64, rev: UInt64)] = []
    var points: [PointKey: (point: TrackPoint, written: UInt64)] = [:]
    /// The times of the newest points of tracks, with those of this batch; nil for a landmark without points.
    var newestPoints: [UInt64: UInt64?] = [:]
    var answers = Ends<(id: UInt64, key: AnswerBook.Key, answer: AnswerBook.Answer)>()
    var marks = Ends<(id: UInt64, client: UUIDv7, sequence: UInt64)>()
    /// The first half of the greatest id that was ever removed.
    var lastRemoved: UInt64
    private var committedNewest: UInt64

    /// The pending changes of a table that gets new rows with the highest ids and loses the rows with the lowest ids.
    struct Ends<Row> {
        var new: [Row] = []
        /// The ids of the rows to delete.
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

    struct PointKey: Hashable {
        var landmark: UInt64
        var at: UInt64
    }

    init(_ session: WriterSession, newestRemoved: UInt64) {
        self.session = session
        (lastRemoved, committedNewest) = (newestRemoved, newestRemoved)
    }

    private func begin() throws {
        var pipeline = Pipeline()
        try addBegin(to: &pipeline)
        for result in try connection.run(pipeline) { _ = try result.get() }
    }

    /// Begins the transaction if it has not begun yet.
    ///
    /// - Parameter locks: whether to lock the row of `history`. It must be locked before the first row of the batch.
    ///   Otherwise a storage that was replaced and its successor could each wait for rows that the other has locked.
    func addBegin(to pipeline: inout Pipeline, locks: Bool = true) throws {
        if !connection.isInsideTransaction {
            try pipeline.add(connection, Connection.TransactionKind.readCommitted.rawValue)
            if locks { try session.term.lock(in: &pipeline, connection) }
        } else if connection.awaitsAnswers {
            // An unanswered BEGIN may still fail, for example because of pg_cancel_backend. Then the statements after
            // it would run in transactions of their own. This statement fails instead: "PostgreSQL reports an error if
            // LOCK is used outside a transaction block."
            try pipeline.add(connection, "LOCK TABLE history IN ACCESS SHARE MODE")
        }
    }

    /// Writes the pending changes in the open transaction, for statements that have to see them.
    func settle() throws {
        var pipeline = Pipeline()
        try addBegin(to: &pipeline)
        try addWrites(to: &pipeline)
        for result in try connection.run(pipeline) { _ = try result.get() }
        // The statement may delete points.
        newestPoints.removeAll()
        written()
    }

    /// Records that all changes have been sent. Later commands of the batch still find the rows here.
    func written() {
        landmarks.written()
        notes.written()
        sources.written()
        forgetWrites()
    }

    /// Runs `body`, and undoes all its writes if it throws or returns false.
    func inSavepoint(_ body: () throws -> Bool) throws {
        try settle()
        try connection.rows("SAVEPOINT part")
        let newest = lastRemoved
        var isKept = false
        defer { if !isKept { lastRemoved = newest } }
        do {
            isKept = try body()
            // The writes are sent now, so that an error that they cause is thrown here.
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

    /// Forgets all rows, so that the next batch reads them again.
    func clear() {
        landmarks.removeAll()
        notes.removeAll()
        sources.removeAll()
        newestPoints.removeAll()
        forgetWrites()
    }

    func rolledBack() {
        clear()
        lastRemoved = committedNewest
    }

    func committed() { committedNewest = lastRemoved }

    private func forgetWrites() {
        changes.removeAll(keepingCapacity: true)
        removals.removeAll()
        points.removeAll()
        answers.new.removeAll(keepingCapacity: true)
        (answers.old, marks) = (nil, Ends())
    }
}

/// Runs statements in the transaction of the batch, which begins with the first statement that writes.
extension WorkingSet: SQLSession, SQLTable {
    var db: any SQLSession { self }
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
