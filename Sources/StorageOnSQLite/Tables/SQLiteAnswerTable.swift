// SPDX-License-Identifier: Apache-2.0

import SQLite
import StorageRules

/// The remembered replies to writes. Used only inside the writer's transactions.
struct SQLiteAnswerTable: AnswerTable, SQLTable {
    let db: any SQLSession
    private let select: Statement
    private let insertion: Statement

    init(_ db: Database) throws {
        self.db = db
        select = try Statement(db, sql: "SELECT digest_high, digest_low, reply FROM answers WHERE id = ?")
        insertion = try Statement(
            db,
            sql: """
                INSERT INTO answers (id, client_high, client_low, sequence, digest_high, digest_low, reply)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
    }

    func find(_ id: UInt64) throws -> AnswerBook.Answer? {
        select.bind(1, id)
        return try select.first { row in
            AnswerBook.Answer(
                digest: RequestDigest(high: try row.bits(0), low: try row.bits(1)), reply: try row.bytes(2))
        }
    }

    func insert(_ id: UInt64, _ key: AnswerBook.Key, _ answer: AnswerBook.Answer) throws {
        insertion.bind(1, id)
        insertion.bind(2, key.client.high)
        insertion.bind(3, key.client.low)
        insertion.bind(4, key.sequence)
        insertion.bind(5, answer.digest.high)
        insertion.bind(6, answer.digest.low)
        try insertion.run(lending: answer.reply, at: 7)
    }

    func delete(_ ids: Range<UInt64>) throws {
        try db.write(
            "DELETE FROM answers WHERE id >= $1 AND id < $2", [.bits(ids.lowerBound), .bits(ids.upperBound)])
    }
}
