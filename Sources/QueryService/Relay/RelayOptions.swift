// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// The options of a query service that is a relay: it publishes storage's changes again, for its own clients.
public struct RelayOptions: Sendable {
    /// The endpoint where the relay publishes changes.
    public var listen: String
    /// The endpoint that clients are told to subscribe to; nil if it is `listen`.
    public var advertise: String?
    /// The maximum size in bytes of the recent changes that are kept in memory, for clients that missed some.
    public var bytes: Int
    package var beacon = Duration.milliseconds(WaymarkProtocol.beaconMilliseconds)

    public init(listen: String, advertise: String? = nil, bytes: Int = 64 * 1024 * 1024) {
        (self.listen, self.advertise, self.bytes) = (listen, advertise, bytes)
    }
}
