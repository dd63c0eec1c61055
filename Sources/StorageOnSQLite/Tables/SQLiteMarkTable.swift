// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules

/// The marks of forgotten answers. Used only inside the writer's transactions.
struct SQLiteMarkTable: MarkTable, SQLTable {
    let db: any SQLSession

    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) throws {
        try db.write(
            "INSERT INTO forgotten (id, client_high, client_low, sequence) VALUES ($1, $2, $3, $4)",
            [.bits(id), .bits(client.high), .bits(client.low), .bits(sequence)])
    }

    func delete(_ ids: Range<UInt64>) throws {
        try db.write(
            "DELETE FROM forgotten WHERE id >= $1 AND id < $2", [.bits(ids.lowerBound), .bits(ids.upperBound)])
    }
}
