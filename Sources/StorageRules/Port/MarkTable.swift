// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// For each client, the highest sequence number whose answer was forgotten. Ids have no gaps. See ``ForgottenMarks``.
package protocol MarkTable {
    /// Calls `body` for each mark, in the order of the ids.
    func forEach(_ body: (_ id: UInt64, _ client: UUIDv7, _ sequence: UInt64) throws -> Void) throws
    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) throws
    /// - Parameter ids: the ids of the oldest marks.
    func delete(_ ids: Range<UInt64>) throws
    /// Returns the newest id; 0 if the table is empty.
    func newest() throws -> UInt64
}
