// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules

/// The rows of sources in the working set.
struct PostgreSQLSourceTable: SourceTable, SQLTable {
    let set: WorkingSet
    var db: any SQLSession { self.set }

    func find(_ key: SourceKey) throws -> RememberedRow? {
        if let known = set.sources.known(key) { return known }
        let found = try set.connection.first(
            "SELECT landmark, draft FROM source_rows WHERE source = $1 AND key = $2", [.text(key.name), .text(key.key)]
        ) { row in try WorkingSet.rememberedRow(row, 0) }
        set.sources.read(key, found)
        return found
    }

    func insert(_ key: SourceKey, _ row: RememberedRow) { set.sources.insert(key, row) }
    func update(_ key: SourceKey, _ row: RememberedRow) { set.sources.update(key, row) }
    func delete(_ key: SourceKey) { set.sources.delete(key) }
}
