// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol

/// Counts of a publisher.
public struct FeedPublisherCounters: Sendable {
    public var published: UInt64 = 0
    public var beacons: UInt64 = 0
    public var subscriptions: UInt64 = 0
    /// Topics that have subscribers at present, and the topic of everything.
    public var feeds: UInt64 = 1
    /// Subscriptions whose topic is not a legal filter.
    public var unknownTopics: UInt64 = 0
    /// Subscriptions beyond the limit of feeds.
    public var refusedTopics: UInt64 = 0
    /// Messages that could not be sent because of an error.
    public var failures: UInt64 = 0
    /// Changes that were not sent because too many bytes wait for slow subscribers. Subscribers read them from the log.
    public var heldBack: UInt64 = 0
    /// Bytes of changes that wait to be written to subscribers.
    public var bytesHeld: UInt64 = 0
    /// Connections that were ended because their key may not follow any more.
    public var cutOff: UInt64 = 0
    public var connections: UInt64 = 0
    public var connectionsTurnedAway: UInt64 = 0

    public init() {}

    public var wire: [WireCounter] {
        [
            ("feed_published", published), ("feed_beacons", beacons), ("feed_subscriptions", subscriptions),
            ("feed_topics", feeds), ("feed_unknown_topics", unknownTopics), ("feed_refused_topics", refusedTopics),
            ("feed_failures", failures), ("feed_held_back", heldBack), ("feed_bytes_held", bytesHeld),
            ("feed_connections", connections), ("feed_connections_turned_away", connectionsTurnedAway),
            ("feed_cut_off", cutOff),
        ].map { name, value in
            .with {
                $0.name = name
                $0.value = value
            }
        }
    }
}
