// SPDX-License-Identifier: Apache-2.0

@_exported public import IPAddresses
public import NIOCore

/// What an ``HTTPListener`` allows its clients.
public struct HTTPLimits: Sendable {
    /// The most connections. For a further one the connection ends that has waited longest for its client.
    public var connections: Int
    /// The length of the kernel's queue.
    public var queue: Int
    /// The longest silence of a connection; after it the listener closes the connection, in the middle of a request
    /// too. Longer than the usual time between two scrapes, so that a scraper keeps its connection.
    public var idle = TimeAmount.seconds(75)
    /// The most connections of one network (``IPAddress/network``), except those that stand for many.
    public var share: Int
    /// Whether an address is that of many: of a proxy, for example.
    public var standsForMany: @Sendable (IPAddress) async -> Bool = { $0.isLoopback }
    /// The longest time from the opening of a connection, or from the first byte of a later request, to the end of the
    /// request's header.
    public var head = TimeAmount.seconds(5)
    /// The longest time from the end of a request's header to the end of the request.
    public var request = TimeAmount.seconds(5)
    /// The longest time for which a client may leave unread what was written, if that fills its connection.
    public var unread = TimeAmount.seconds(30)
    /// The most bytes of a request's header.
    public var headerBytes = 8 * 1024
    public var headerFields = 64

    public init(connections: Int, queue: Int = 64) {
        (self.connections, self.queue, share) = (connections, queue, max(8, connections / 4))
    }
}
