// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Landmarks
public import WaymarkProtocol

extension WireWelcome {
    /// Makes the answer to a greeting.
    ///
    /// - Parameters:
    ///   - version: the protocol version that both sides have agreed on.
    ///   - run: the run of the service.
    ///   - feed: the address at which clients follow changes.
    ///   - beacon: the number of milliseconds between two beacons.
    public init(
        from service: String, speaking version: UInt8, at position: Position, run: UUIDv7, floor: UInt64,
        feed: FeedAddress, beacon: UInt32 = UInt32(WaymarkProtocol.beaconMilliseconds)
    ) {
        self.init()
        (self.service, self.version, `protocol`) = (service, Product.version, UInt32(version))
        (epoch, head, self.run, self.floor) = (position.epoch.wire, position.rev, run.wire, floor)
        (changesEndpoint, changesKey) = (feed.endpoint, Data(feed.key?.bytes ?? []))
        (limits, beaconMs, feedVersion) = (.ours, beacon, UInt32(FeedTopic.version))
    }
}
