// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A filter that storage keeps under a name. It never changes: a replacement is another fence, with another id.
public struct Fence: Sendable, Hashable {
    public let id: UInt64
    public let name: String
    /// The number of the account that owns the fence; 0 if nobody does.
    public let account: UInt64
    /// The user or account that made the fence, by the name of that time.
    public let user: String
    /// The conditions, of which there is at least one. They have no ids and no operations.
    public let filter: FeedFilter
    /// The time at which the fence was made, in Unix milliseconds.
    public let created: UInt64
    /// The newest revision at that time.
    public let rev: UInt64
    /// Whether links show no position of the owner's landmarks within the fence.
    public let isPrivate: Bool

    package init(_ wire: WireFence) throws(InvalidInput) {
        (id, name, account, user) = (wire.id, wire.name, wire.account, wire.user)
        (filter, created, rev) = (try FeedFilter(encoded: wire.filter), wire.created, wire.rev)
        isPrivate = wire.isPrivate
    }
}
