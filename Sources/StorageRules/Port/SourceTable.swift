// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// For each row of each source its last draft, and the landmark that it created.
package protocol SourceTable {
    func find(_ key: SourceKey) throws -> SourceRow?
    func insert(_ key: SourceKey, _ row: SourceRow) throws
    /// Of a row that is there.
    func update(_ key: SourceKey, _ row: SourceRow) throws
    func delete(_ key: SourceKey) throws
    func hasRows(of source: String) throws -> Bool
}

extension SourceTable {
    /// Keeps the row, without its landmark.
    func orphan(_ key: SourceKey) throws {
        guard var row = try find(key) else { return }
        row.landmark = nil
        try update(key, row)
    }

    /// Gives the row another key, which no row has.
    func rename(_ key: SourceKey, to new: String) throws {
        guard let row = try find(key) else { return }
        try delete(key)
        try insert(SourceKey(name: key.name, key: new), row)
    }
}
