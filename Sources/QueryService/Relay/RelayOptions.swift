// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// What a query service needs to publish storage's changes again.
public struct RelayOptions: Sendable {
    /// The endpoint where it publishes changes.
    public var listen: String
    /// The endpoint that clients are told to subscribe to; nil for `listen`.
    public var advertise: String?
    /// The most bytes of recent changes that are kept in memory, to answer those who missed them.
    public var bytes: Int
    package var beacon = Duration.milliseconds(WaymarkProtocol.beaconMilliseconds)

    public init(listen: String, advertise: String? = nil, bytes: Int = 64 * 1024 * 1024) {
        (self.listen, self.advertise, self.bytes) = (listen, advertise, bytes)
    }
}
