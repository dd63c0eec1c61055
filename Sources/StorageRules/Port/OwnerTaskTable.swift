// SPDX-License-Identifier: Apache-2.0

/// Pending changes of landmarks' owners, in the order of the requests.
protocol OwnerTaskTable {
    func first() throws -> OwnerTask?
    func add(account: UInt64, claimed: String?) throws
    /// - Parameter key: the key of the last landmark that was examined; nil if all have been.
    func advance(_ task: OwnerTask, to key: UInt64?) throws
}
