// SPDX-License-Identifier: Apache-2.0

package import WaymarkProtocol

/// A filter that storage keeps under a name. It never changes: a replacement is another fence, with another id.
public struct Fence: Sendable, Hashable {
    private let wire: WireFence
    /// The conditions, of which there is at least one. They have no ids and no operations.
    public let filter: FeedFilter

    public var id: UInt64 { wire.id }
    public var name: String { wire.name }
    /// The number of the account that owns the fence; 0 if nobody does.
    public var account: UInt64 { wire.account }
    /// The user or account that made the fence, by the name of that time.
    public var user: String { wire.user }
    /// The time at which the fence was made, in Unix milliseconds.
    public var created: UInt64 { wire.created }
    /// The newest revision at that time.
    public var rev: UInt64 { wire.rev }
    /// Whether links show no position of the owner's landmarks within the fence.
    public var isPrivate: Bool { wire.isPrivate }

    package init(_ wire: WireFence) throws(InvalidInput) {
        (self.wire, filter) = (wire, try FeedFilter(encoded: wire.filter))
    }
}
