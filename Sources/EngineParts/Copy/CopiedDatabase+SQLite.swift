// SPDX-License-Identifier: Apache-2.0

import SQLite

extension Database: CopiedDatabase {
    package func adopt(_ head: CopiedHead) throws {
        try write("UPDATE newest SET key = $1", [.bits(head.newest)])
        try write(
            "UPDATE history SET epoch_high = $1, epoch_low = $2", [.bits(head.epoch.high), .bits(head.epoch.low)])
    }
}

extension CopiedRows {
    /// Writes all rows to a new SQLite file. Both engines can restore this backup, whichever engine made it.
    ///
    /// - Parameter isEnded: called before each piece is written; returns whether to stop.
    /// - Throws: ``EngineError/closed`` if `isEnded` returned true.
    package func write(to file: String, isEnded: () -> Bool) throws -> CopiedHead {
        try DataDirectory.makePrivate(file)
        let queue = try DatabaseQueue(path: file)
        defer { queue.close() }
        try SQLiteSchema.migrator().migrate(queue)
        let head = try head()
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
        for table in CopiedTable.all {
            try forEach(of: table) { rows in
                guard !isEnded() else { throw EngineError.closed }
                try queue.write { db in try CopiedRows(db).append(rows, to: table) }
            }
        }
        try queue.write { db in try CopiedRows(db).finish(head) }
        return head
    }
}
