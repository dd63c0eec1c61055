// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Limits of the remembered answers. An answer is forgotten as soon as one of the limits is reached.
package struct AnswerWindow: Sendable {
    var count = 262_144
    /// The maximum age of an answer. Ages are measured by the time since the machine started, not by the wall clock.
    /// When storage restarts, the age of every answer starts again at zero.
    var age: Duration = .seconds(3_600)
    /// The number of answers that are forgotten together. Fewer deletions are cheaper, because each deletion has to
    /// search for the table's oldest row.
    var step = 1_024
    /// The maximum number of marks of forgotten answers: see ``ForgottenMarks``.
    var marks = 524_288
    /// The maximum age of a mark, measured like `age`. Clients repeat a request for two minutes.
    var markAge: Duration = .seconds(86_400)

    package static let standard = AnswerWindow()
}

/// Remembers the replies to writes, so that a repeated request gets the same reply as before. A forgotten reply leaves
/// a mark, so that its request is not executed again.
///
/// New rows get the highest ids, and the rows with the lowest ids are deleted. All ids are kept in memory.
package final class AnswerBook {
    package struct Key: Hashable {
        package var client: UUIDv7
        package var sequence: UInt64
    }

    package struct Answer {
        package var digest: RequestDigest
        package var reply: [UInt8]

        package init(digest: RequestDigest, reply: [UInt8]) { (self.digest, self.reply) = (digest, reply) }
    }

    private let window: AnswerWindow
    private let table: any AnswerTable
    private var rows: [Key: UInt64] = [:]
    private var kept = RowQueue<Key>()
    private let forgotten: ForgottenMarks
    /// The id that follows the newest committed row.
    private var durable: UInt64 = 1
    private var toForget: UInt64?

    init(_ answers: any AnswerTable, _ marks: any MarkTable, window: AnswerWindow, uptime: Duration) throws {
        self.window = window
        table = answers
        forgotten = try ForgottenMarks(marks, window: window, uptime: uptime)
        try table.forEach { id, key in
            try kept.restore(key, id: id, of: "answers", at: uptime)
            rows[key] = id
        }
        durable = kept.end
    }

    /// Whether the state in memory agrees with the tables. Must not be called inside a transaction.
    func agrees() throws -> Bool {
        let ends = try table.ends()
        let (oldest, newest) = kept.isEmpty ? (0, 0) : (kept.start, kept.end - 1)
        return try ends == (oldest, newest) && forgotten.agrees()
    }

    func find(_ key: Key) throws -> Answer? {
        guard let id = rows[key] else { return nil }
        let found = try table.find(id)
        // The request was answered before. It must not be executed again only because its row is missing.
        guard let found else { throw EngineError.corrupted("answer \(id) is missing") }
        return found
    }

    /// Whether the answer to this request may have been forgotten. Then nobody knows whether it was executed.
    func mayHaveForgotten(_ key: Key) -> Bool { forgotten.covers(key) }

    func remember(_ key: Key, _ answer: Answer, uptime: Duration) throws {
        let id = kept.end
        try table.insert(id, key, answer)
        kept.append(key, at: uptime)
        rows[key] = id
    }

    /// Deletes answers that are beyond a limit of the window, but only a limited number in one transaction.
    func prune(uptime: Duration) throws {
        let surplus = kept.surplus(over: window.count, step: window.step, olderThan: uptime - window.age)
        // This transaction deletes none of the answers that it has added.
        let end = min(surplus, durable)
        try forgotten.prune(uptime: uptime)
        guard end > kept.start else { return }
        try forgotten.mark(kept.keys(before: end))
        try table.delete(kept.start..<end)
        toForget = end
    }

    /// The id that the next answer gets.
    var end: UInt64 { kept.end }

    /// Records that the answers before `end` are committed, and drops the deleted answers from memory.
    func committed(before end: UInt64, uptime: Duration) {
        durable = end
        forgotten.committed(uptime: uptime)
        guard let end = toForget else { return }
        toForget = nil
        kept.dropFirst(upTo: end) { key, id in
            if rows[key] == id { rows[key] = nil }
        }
    }

    /// Drops the answers with ids from `end` on, because they were rolled back.
    func rollBack(to end: UInt64) {
        while kept.end > end, let key = kept.removeLast() { rows[key] = nil }
    }

    /// Cancels pending deletions, because their transaction has failed.
    func abandon() {
        toForget = nil
        forgotten.rollBack()
    }
}
