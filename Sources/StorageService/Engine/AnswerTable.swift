// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite

/// How long answers are remembered: whichever limit is met first.
struct AnswerWindow: Sendable {
    var count = 262_144
    /// Of storage's own running time. No wall clock takes part, and after a restart it begins anew.
    var age: Duration = .seconds(3_600)
    /// Forgotten together: one walk to the table's far end for many rows.
    var step = 1_024
    /// Marks of what is forgotten: see ``ForgottenTable``.
    var marks = 524_288
    /// Of a mark, as `age`. Clients send a request again for two minutes.
    var markAge: Duration = .seconds(86_400)
}

/// The replies to writes, so that a request that is sent again gets the same one, and the mark of those that are
/// forgotten, so that none of them is done again.
///
/// The rows are only ever added at one end and dropped at the other. Which request has which row is known in memory.
final class AnswerTable {
    struct Key: Hashable {
        var client: UUIDv7
        var sequence: UInt64
    }

    struct Answer {
        var digest: RequestDigest
        var reply: [UInt8]
    }

    private let window: AnswerWindow
    private let select: Statement
    private let insert: Statement
    private let delete: Statement
    private var rows: [Key: UInt64] = [:]
    private var kept = RowQueue<Key>()
    private let forgotten: ForgottenTable
    /// Rows of the open transaction.
    private var isUncommitted = 0
    private var toForget: UInt64?

    /// What the file must have for the memory to be right about it.
    struct Ends: Hashable {
        /// The rows that were added last, and the oldest answer; 0 for none.
        var answer: UInt64 = 0
        var oldest: UInt64 = 0
        var mark: UInt64 = 0
    }

    var ends: Ends {
        Ends(
            answer: kept.isEmpty ? 0 : kept.end - 1, oldest: kept.isEmpty ? 0 : kept.start, mark: forgotten.last)
    }

    init(_ db: Database, window: AnswerWindow, uptime: Duration) throws {
        self.window = window
        forgotten = try ForgottenTable(db, window: window, uptime: uptime)
        select = try Statement(db, sql: "SELECT digest_high, digest_low, reply FROM answers WHERE id = ?")
        insert = try Statement(
            db,
            sql: """
                INSERT INTO answers (id, client_high, client_low, sequence, digest_high, digest_low, reply)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        delete = try Statement(db, sql: "DELETE FROM answers WHERE id < ?")
        let all = try Row.fetchCursor(db, sql: "SELECT id, client_high, client_low, sequence FROM answers ORDER BY id")
        while let row = try all.next() {
            let id = try row.bits(0)
            let key = Key(client: UUIDv7(high: try row.bits(1), low: try row.bits(2)), sequence: try row.bits(3))
            guard RowQueue<Key>.ids.contains(id) else { throw EngineError.corrupted("answer \(id) cannot be") }
            if kept.isEmpty { kept.begin(at: id) }
            guard id == kept.end else { throw EngineError.corrupted("answer \(kept.end) is missing") }
            kept.append(key, at: uptime)
            rows[key] = id
        }
    }

    static func ends(_ db: Database) throws -> Ends {
        Ends(
            answer: try db.makeStatement(sql: "SELECT id FROM answers ORDER BY id DESC LIMIT 1")
                .first { row in try row.bits(0) } ?? 0,
            oldest: try db.makeStatement(sql: "SELECT id FROM answers ORDER BY id LIMIT 1")
                .first { row in try row.bits(0) } ?? 0,
            mark: try ForgottenTable.last(db))
    }

    func find(_ key: Key) throws -> Answer? {
        guard let id = rows[key] else { return nil }
        select.bind(1, id)
        let found = try select.first { row in
            Answer(digest: RequestDigest(high: try row.bits(0), low: try row.bits(1)), reply: try row.bytes(2))
        }
        // Never done again for want of a row that was there.
        guard let found else { throw EngineError.corrupted("answer \(id) is missing") }
        return found
    }

    /// Whether the answer to this request may have been forgotten: then nobody can say whether it was done.
    func mayHaveForgotten(_ key: Key) -> Bool { forgotten.covers(key) }

    func remember(_ key: Key, _ answer: Answer, uptime: Duration) throws {
        let id = kept.end
        insert.bind(1, id)
        insert.bind(2, key.client.high)
        insert.bind(3, key.client.low)
        insert.bind(4, key.sequence)
        insert.bind(5, answer.digest.high)
        insert.bind(6, answer.digest.low)
        insert.bind(7, answer.reply)
        try insert.run()
        kept.append(key, at: uptime)
        rows[key] = id
        isUncommitted += 1
    }

    /// Drops what has left the window, some of it at a time.
    func prune(uptime: Duration) throws {
        let surplus = kept.count - window.count
        var end = surplus >= window.step ? kept.start + UInt64(surplus) : kept.start
        end = max(end, kept.firstYounger(than: uptime - window.age))
        // At most four steps in one transaction; those of this transaction never.
        end = min(end, kept.start + UInt64(4 * window.step), kept.end - UInt64(isUncommitted))
        try forgotten.prune(uptime: uptime)
        guard end > kept.start else { return }
        try forgotten.mark(kept.keys(before: end))
        delete.bind(1, end)
        try delete.run()
        toForget = end
    }

    func committed(uptime: Duration) {
        isUncommitted = 0
        forgotten.committed(uptime: uptime)
        guard let end = toForget else { return }
        toForget = nil
        kept.dropFirst(upTo: end) { key, id in
            if rows[key] == id { rows[key] = nil }
        }
    }

    /// Undoes what was remembered in this transaction after the first `count` answers of it.
    func rollBack(to count: Int = 0) {
        while isUncommitted > count {
            isUncommitted -= 1
            if let key = kept.removeLast() { rows[key] = nil }
        }
        if count == 0 {
            toForget = nil
            forgotten.rollBack()
        }
    }

    var uncommitted: Int { isUncommitted }
}
