// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// For each row of each source its last draft, and the landmark that it created.
protocol SourceTable {
    func find(_ key: SourceKey) throws -> SourceRow?
    func insert(_ key: SourceKey, landmark: Landmark.ID, draft: [UInt8]) throws
    func update(_ key: SourceKey, draft: [UInt8]) throws
    /// Keeps the row, without its landmark.
    func orphan(_ key: SourceKey) throws
    /// Gives the row another key.
    func rename(_ key: SourceKey, to new: String) throws
    func delete(_ key: SourceKey) throws
    func hasRows(of source: String) throws -> Bool
}
