// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// Up to which sequence of a client answers are forgotten, by ids without holes.
package protocol MarkTable {
    /// Passes all of them on, in the order of their ids.
    func forEach(_ body: (_ id: UInt64, _ client: UUIDv7, _ sequence: UInt64) throws -> Void) throws
    func insert(_ id: UInt64, client: UUIDv7, sequence: UInt64) throws
    /// - Parameter ids: those of the oldest marks.
    func delete(_ ids: Range<UInt64>) throws
    /// 0 for none.
    func newest() throws -> UInt64
}
