// SPDX-License-Identifier: Apache-2.0

/// Pending changes of the owners of landmarks, in the order in which they were requested.
protocol OwnerTaskTable {
    func first() throws -> OwnerTask?
    func add(account: UInt64, claimed: String?) throws
    /// - Parameter key: the key of the last landmark that was examined; nil if all landmarks have been examined.
    func advance(_ task: OwnerTask, to key: UInt64?) throws
}
