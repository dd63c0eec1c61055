// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The highest forgotten sequence of each client, under ids without gaps: see ``ForgottenMarks``.
package protocol MarkTable {
    /// Passes on all marks, in the order of their ids.
    func forEach(_ body: (_ id: UInt64, _ client: UUIDv7, _ sequence: UInt64) throws -> Void) throws
    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) throws
    /// - Parameter ids: the oldest marks.
    func delete(_ ids: Range<UInt64>) throws
    /// The newest id; 0 if the table is empty.
    func newest() throws -> UInt64
}
