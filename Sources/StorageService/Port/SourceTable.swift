// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// For each row of each source its last draft, and the landmark that it created.
protocol SourceTable {
    func find(_ key: SourceKey) throws -> SourceRow?
    func insert(_ key: SourceKey, _ row: SourceRow) throws
    /// Of a row that is there.
    func update(_ key: SourceKey, _ row: SourceRow) throws
    func delete(_ key: SourceKey) throws
    func hasRows(of source: String) throws -> Bool
}

extension SourceTable {
    /// Keeps the row, without its landmark.
    ///
    /// - Parameter key: the landmark's. One of an earlier release may have it in another form of the same text.
    func orphan(_ key: SourceKey) throws {
        for key in [key, SourceKey(name: key.name.normal, key: key.key.normal)] {
            guard var row = try find(key) else { continue }
            row.landmark = nil
            return try update(key, row)
        }
    }

    /// Gives the row another key, which no row has.
    func rename(_ key: SourceKey, to new: String) throws {
        guard let row = try find(key) else { return }
        try delete(key)
        try insert(SourceKey(name: key.name, key: new), row)
    }
}
