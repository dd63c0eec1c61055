// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// For each row of each source, the last draft, and the landmark that was made from the row.
package protocol SourceTable {
    func find(_ key: SourceKey) throws -> RememberedRow?
    func insert(_ key: SourceKey, _ row: RememberedRow) throws
    /// Replaces a row that exists.
    func update(_ key: SourceKey, _ row: RememberedRow) throws
    func delete(_ key: SourceKey) throws
    func hasRows(of source: String) throws -> Bool
}

extension SourceTable {
    /// Forgets the row's landmark, but keeps the row.
    func orphan(_ key: SourceKey) throws {
        guard var row = try find(key) else { return }
        row.landmark = nil
        try update(key, row)
    }

    /// Gives the row a new key, which must not belong to another row.
    func rename(_ key: SourceKey, to new: String) throws {
        guard let row = try find(key) else { return }
        try delete(key)
        try insert(SourceKey(name: key.name, key: new), row)
    }
}
