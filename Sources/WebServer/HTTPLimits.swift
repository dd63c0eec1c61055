// SPDX-License-Identifier: Apache-2.0

@_exported public import IPAddresses
public import NIOCore

/// The limits that an ``HTTPListener`` sets for its clients.
public struct HTTPLimits: Sendable {
    /// The maximum number of connections. An additional one closes the one that waited longest for its client.
    public var connections: Int
    /// The maximum length of the kernel's queue of new connections.
    public var queue: Int
    /// The maximum time between an answer and the next request. The default is longer than the usual interval at which
    /// metrics are scraped, so that a scraper keeps its connection.
    public var idle = TimeAmount.seconds(75)
    /// The maximum number of connections from one network (``IPAddress/network``). Addresses that stand for many
    /// clients are exempt.
    public var share: Int
    /// Whether an address stands for many clients, as the address of a proxy does.
    public var standsForMany: @Sendable (IPAddress) async -> Bool = { $0.isLoopback }
    /// The maximum time from the opening of a connection, or from the first byte of a later request, to the end of the
    /// request's header.
    public var head = TimeAmount.seconds(5)
    /// The maximum time from the end of a request's header to the end of its body.
    public var request = TimeAmount.seconds(5)
    /// The maximum time for which a client may not read, once the connection's buffers are full.
    public var unread = TimeAmount.seconds(30)
    /// The maximum size of a request's header in bytes.
    public var headerBytes = 8 * 1024
    public var headerFields = 64

    public init(connections: Int, queue: Int = 64) {
        (self.connections, self.queue, share) = (connections, queue, max(8, connections / 4))
    }
}
