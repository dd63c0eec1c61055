// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Fences by their names. A fence is inserted and deleted, never changed. Its number is never used again.
protocol FenceTable {
    func find(fence name: String) throws -> WireFence?
    /// Returns the number of an account's fences, and the number of all.
    func fenceCounts(of account: UInt64) throws -> (own: Int, all: Int)
    /// Returns everybody's private fences.
    func privateFences() throws -> [WireFence]
    func insert(_ fence: WireFence) throws
    func delete(fence name: String) throws
}
