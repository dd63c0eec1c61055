// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The last draft of each row of each source, and the landmark that the row created.
package protocol SourceTable {
    func find(_ key: SourceKey) throws -> RememberedRow?
    func insert(_ key: SourceKey, _ row: RememberedRow) throws
    /// Replaces an existing row.
    func update(_ key: SourceKey, _ row: RememberedRow) throws
    func delete(_ key: SourceKey) throws
    func hasRows(of source: String) throws -> Bool
}

extension SourceTable {
    /// Keeps the row without its landmark.
    func orphan(_ key: SourceKey) throws {
        guard var row = try find(key) else { return }
        row.landmark = nil
        try update(key, row)
    }

    /// Gives the row a new key, which no other row may have.
    func rename(_ key: SourceKey, to new: String) throws {
        guard let row = try find(key) else { return }
        try delete(key)
        try insert(SourceKey(name: key.name, key: new), row)
    }
}
