// SPDX-License-Identifier: Apache-2.0

import EngineParts
import FoundationEssentials
import Support

/// Copies all rows of a database to another database, of the same engine or of another engine.
///
/// The copy is another history: it gets a new epoch, so that no client takes it for the original. A copy can be
/// interrupted at any time. It then resumes after the last copied row, unless the source has changed meanwhile.
public struct DatabaseTransfer {
    /// The outcome of a copy.
    public struct Report: Sendable, Hashable {
        public struct Table: Sendable, Hashable {
            public var name: String
            public var rows: Int
            /// How many of `rows` an earlier, interrupted attempt had copied.
            public var resumed: Int
        }

        public var tables: [Table] = []
        public var head: UInt64
        public var landmarks: UInt64
        public var epoch: String
    }

    let source: CopiedRows
    let target: CopiedRows

    /// - Parameter progress: called after each transaction with the name of a table and how many of its rows are
    ///   copied.
    func run(_ progress: (_ table: String, _ rows: Int) -> Void) throws -> Report {
        let from = try source.head()
        try claim(from)
        var head = from
        head.epoch = .new()
        var report = Report(head: head.head.rev, landmarks: head.head.landmarks, epoch: "\(head.epoch)")
        for table in CopiedTable.all { report.tables.append(try copy(table, progress)) }
        for table in CopiedTable.all { try compare(table) }
        guard try source.head() == from else { throw TransferError.sourceChanged }
        try target.db.inTransaction { try target.finish(head) }
        return report
    }

    /// Marks the target as an incomplete copy of this source, or checks that it is marked so.
    private func claim(_ head: CopiedHead) throws {
        switch try target.claim() {
        case nil:
            for table in CopiedTable.all where try target.count(of: table) > 0 { throw TransferError.notEmpty }
            try target.db.inTransaction { try target.claim(for: head) }
        case head.text?: break
        case _?: throw TransferError.otherSource
        }
    }

    private func copy(_ table: CopiedTable, _ progress: (String, Int) -> Void) throws -> Report.Table {
        let resumed = try target.count(of: table)
        var count = resumed
        try source.forEach(of: table, after: target.lastKey(of: table)) { rows in
            try target.db.inTransaction { try target.append(rows, to: table) }
            count += rows.count
            progress(table.name, count)
        }
        return Report.Table(name: table.name, rows: count, resumed: resumed)
    }

    /// Compares the digests of all rows of a table in the source and in the target.
    private func compare(_ table: CopiedTable) throws {
        let (ours, theirs) = (try Self.digest(of: table, source), try Self.digest(of: table, target))
        guard ours == theirs else { throw TransferError.differs(table: table.name, ours.rows, theirs.rows) }
    }

    struct Digest: Hashable {
        var rows = 0
        var bytes: [UInt8] = []
    }

    static func digest(of table: CopiedTable, _ side: CopiedRows) throws -> Digest {
        var (hash, digest) = (SHA256(), Digest())
        try side.forEach(of: table) { rows in
            for row in rows {
                var bytes: [UInt8] = []
                for value in row { value.add(to: &bytes) }
                hash.update(bytes.span.bytes)
            }
            digest.rows += rows.count
        }
        digest.bytes = hash.finalize()
        return digest
    }
}
