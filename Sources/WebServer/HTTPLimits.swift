// SPDX-License-Identifier: Apache-2.0

@_exported public import IPAddresses
public import NIOCore

/// The limits that an ``HTTPListener`` sets its clients.
public struct HTTPLimits: Sendable {
    /// The most connections. A further one ends the connection that has waited longest for its client.
    public var connections: Int
    /// The length of the kernel's queue of new connections.
    public var queue: Int
    /// The longest silence of a connection, even in the middle of a request; then the listener closes it. Longer than
    /// the usual time between two scrapes, so that a scraper keeps its connection.
    public var idle = TimeAmount.seconds(75)
    /// The most connections of one network (``IPAddress/network``). Addresses that stand for many clients are exempt.
    public var share: Int
    /// Whether an address stands for many clients, as that of a proxy does.
    public var standsForMany: @Sendable (IPAddress) async -> Bool = { $0.isLoopback }
    /// The longest time from the opening of a connection, or from the first byte of a later request, to the end of the
    /// request's header.
    public var head = TimeAmount.seconds(5)
    /// The longest time from the end of a request's header to the end of the request.
    public var request = TimeAmount.seconds(5)
    /// The longest time for which a client may leave written bytes unread, once they fill its connection.
    public var unread = TimeAmount.seconds(30)
    /// The most bytes of a request's header.
    public var headerBytes = 8 * 1024
    public var headerFields = 64

    public init(connections: Int, queue: Int = 64) {
        (self.connections, self.queue, share) = (connections, queue, max(8, connections / 4))
    }
}
