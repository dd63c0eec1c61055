// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// The database row of the present run. It is durable before the run's first write. On a full disk it waits for room.
/// Positions given out until then name a run that is not recorded; if storage ends before it is, their holders begin
/// with a snapshot.
///
/// Only the writer uses it.
final class RunRow {
    let run: UUIDv7
    private var isDurable = false

    init(_ run: UUIDv7) { self.run = run }

    /// Writes the row, unless it is durable already.
    func require(_ db: Database) throws {
        guard !isDurable else { return }
        try db.inTransaction { try RunTable(db).begin(run, at: ReadTables(db).head().rev + 1) }
        isDurable = true
    }
}
