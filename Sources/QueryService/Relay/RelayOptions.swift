// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// Options of a query service that publishes storage's changes again.
public struct RelayOptions: Sendable {
    /// The endpoint for publishing changes.
    public var listen: String
    /// The endpoint that clients are told to subscribe to; nil for `listen`.
    public var advertise: String?
    /// The most bytes of recent changes to keep in memory, for clients that missed some.
    public var bytes: Int
    package var beacon = Duration.milliseconds(WaymarkProtocol.beaconMilliseconds)

    public init(listen: String, advertise: String? = nil, bytes: Int = 64 * 1024 * 1024) {
        (self.listen, self.advertise, self.bytes) = (listen, advertise, bytes)
    }
}
