// SPDX-License-Identifier: Apache-2.0

import Landmarks
import StorageRules

/// The rows of sources.
extension WorkingSet: SourceTable {
    func find(_ key: SourceKey) throws -> RememberedRow? {
        if let known = sources.known(key) { return known }
        let found = try value(
            "SELECT landmark, draft FROM source_rows WHERE source = $1 AND key = $2", [.text(key.name), .text(key.key)]
        ) { row in try Self.rememberedRow(row, 0) }
        sources.read(key, found)
        return found
    }

    func insert(_ key: SourceKey, _ row: RememberedRow) { sources.insert(key, row) }
    func update(_ key: SourceKey, _ row: RememberedRow) { sources.update(key, row) }
    func delete(_ key: SourceKey) { sources.delete(key) }
}
