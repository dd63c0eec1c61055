// SPDX-License-Identifier: Apache-2.0

/// What landmarks are to get another owner, in the order in which it was asked for.
protocol OwnerTaskTable {
    func first() throws -> OwnerTask?
    func add(account: UInt64, claimed: String?) throws
    /// - Parameter key: of the last landmark that was looked at; nil: all have been.
    func advance(_ task: OwnerTask, to key: UInt64?) throws
}
