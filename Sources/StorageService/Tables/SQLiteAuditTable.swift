// SPDX-License-Identifier: Apache-2.0

import SQLite
import WaymarkProtocol

/// Who did what from where. The newest entries of each shelf are kept.
struct SQLiteAuditTable: AuditTable {
    /// Characters of a subject.
    static let subject = 100

    private let insertion: Statement
    private let pruning: Statement

    init(_ db: Database) throws {
        insertion = try Statement(
            db,
            sql: """
                INSERT INTO audit (at, number, account, origin, deed, subject, outcome, shelf, place)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                    coalesce((SELECT max(place) FROM audit WHERE shelf = ?8), 0) + 1)
                """)
        pruning = try Statement(
            db,
            sql: """
                DELETE FROM audit
                WHERE shelf = ?1 AND place <= (SELECT max(place) FROM audit WHERE shelf = ?1) - \(AuditShelf.most)
                """)
    }

    func append(
        _ caller: Caller, _ deed: AuditDeed, _ shelf: AuditShelf, subject: String, outcome: String, now: UInt64
    ) throws {
        try insertion.run(
            now.bits, caller.number.bits, caller.user, deed.origin, deed.deed, String(subject.prefix(Self.subject)),
            outcome, shelf.rawValue)
        try pruning.run(shelf.rawValue)
    }

    static func entries(_ db: Database, before id: UInt64, limit: Int) throws -> [WireAuditEntry] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, at, account, origin, deed, subject, outcome FROM audit WHERE id < ?
                ORDER BY id DESC LIMIT ?
                """, arguments: [id == 0 ? Int64.max : Int64(clamping: id), limit])
        var entries: [WireAuditEntry] = []
        while let row = try rows.next() {
            var entry = WireAuditEntry()
            (entry.id, entry.at) = (try row.bits(0), try row.bits(1))
            (entry.account, entry.origin, entry.deed) = (try row.text(2), try row.text(3), try row.text(4))
            (entry.subject, entry.outcome) = (try row.text(5), try row.text(6))
            entries.append(entry)
        }
        return entries
    }
}
