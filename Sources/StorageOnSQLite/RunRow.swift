// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SQLite
import StorageRules

/// The database row of the present run, which is durable before the first write of the run. On a full disk, the row is
/// not written until there is room. Until then, clients get positions of a run that is not recorded. If storage ends
/// before the row is written, these clients start again from a snapshot.
///
/// Only the writer uses it.
final class RunRow {
    let run: UUIDv7
    private var isDurable = false

    init(_ run: UUIDv7) { self.run = run }

    /// Writes the row, unless it is already durable.
    func require(_ db: Database) throws {
        guard !isDurable else { return }
        try db.inTransaction { try RunTable(db).begin(run, at: ReadTables(db).head().rev + 1) }
        isDurable = true
    }
}
