// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import Support

/// Copies all rows of one database to another, of the same engine or of the other one.
///
/// The copy is another history: it gets an epoch of its own, so that nobody takes it for the database that it was made
/// from. It can be interrupted at any time and goes on where it was, as long as the source has not changed meanwhile.
public struct DatabaseTransfer {
    /// What was copied.
    public struct Report: Sendable, Hashable {
        public struct Table: Sendable, Hashable {
            public var name: String
            public var rows: Int
            /// Of those, how many an earlier attempt had copied.
            public var resumed: Int
        }

        public var tables: [Table] = []
        public var head: UInt64
        public var landmarks: UInt64
        public var epoch: String
    }

    /// Rows that are in memory at once.
    static let rowsAtOnce = 1_000

    let source: any CopiedSource
    let target: any CopiedTarget
    /// Runs a part of the writing in one transaction of the target.
    let inTransaction: (() throws -> Void) throws -> Void

    /// - Parameter progress: told after each part: the table and its rows so far.
    func run(_ progress: (_ table: String, _ rows: Int) -> Void) throws -> Report {
        let from = try source.head()
        try claim(from)
        var head = from
        head.epoch = SQLiteEngine.newID()
        var report = Report(head: head.head.rev, landmarks: head.head.landmarks, epoch: "\(head.epoch)")
        for table in CopiedTable.all { report.tables.append(try copy(table, progress)) }
        for table in CopiedTable.all { try compare(table) }
        guard try source.head() == from else { throw TransferError.sourceChanged }
        try inTransaction { try target.finish(head) }
        return report
    }

    /// Marks the target as one that is being copied to, or sees that it is the same source as before.
    private func claim(_ head: CopiedHead) throws {
        switch try target.claim() {
        case nil:
            for table in CopiedTable.all where try target.count(of: table) > 0 { throw TransferError.notEmpty }
            try inTransaction { try target.claim(for: head) }
        case head.text?: break
        case _?: throw TransferError.otherSource
        }
    }

    private func copy(_ table: CopiedTable, _ progress: (String, Int) -> Void) throws -> Report.Table {
        let resumed = try target.count(of: table)
        var count = resumed
        var key = try target.lastKey(of: table)
        while true {
            let rows = try source.rows(of: table, after: key, limit: Self.rowsAtOnce)
            guard let last = rows.last else { break }
            try inTransaction { try target.append(rows, to: table) }
            count += rows.count
            key = Array(last.prefix(table.keys))
            progress(table.name, count)
        }
        return Report.Table(name: table.name, rows: count, resumed: resumed)
    }

    /// Reads both sides from the first row to the last.
    private func compare(_ table: CopiedTable) throws {
        let (ours, theirs) = (try Self.digest(of: table, source), try Self.digest(of: table, target))
        guard ours == theirs else { throw TransferError.differs(table: table.name, ours.rows, theirs.rows) }
    }

    struct Digest: Hashable {
        var rows = 0
        var bytes: [UInt8] = []
    }

    static func digest(of table: CopiedTable, _ side: any CopiedSource) throws -> Digest {
        var (hash, digest, key) = (SHA256(), Digest(), [CopiedValue]())
        while true {
            let rows = try side.rows(of: table, after: key, limit: rowsAtOnce)
            guard let last = rows.last else { break }
            for row in rows {
                var bytes: [UInt8] = []
                for value in row { value.add(to: &bytes) }
                hash.update(bytes.span.bytes)
            }
            digest.rows += rows.count
            key = Array(last.prefix(table.keys))
        }
        digest.bytes = hash.finalize()
        return digest
    }
}
