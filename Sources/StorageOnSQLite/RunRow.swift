// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// The row of the present run. It is durable before the run's first write. On a full disk it waits for room; until then
/// positions name a run that nobody finds if storage ends, and whoever has one begins with a snapshot.
///
/// Used by the writer only.
final class RunRow {
    let run: UUIDv7
    private var isDurable = false

    init(_ run: UUIDv7) { self.run = run }

    /// Writes it, unless that was done.
    func require(_ db: Database) throws {
        guard !isDurable else { return }
        try db.inTransaction { try RunTable(db).begin(run, at: ReadTables(db).head().rev + 1) }
        isDurable = true
    }
}
