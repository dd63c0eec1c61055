// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
public import WaymarkProtocol

/// What was published.
public struct FeedPublisherCounters: Sendable {
    public var published: UInt64 = 0
    public var beacons: UInt64 = 0
    public var subscriptions: UInt64 = 0
    /// Topics that somebody subscribes to at the moment, and that of everything.
    public var feeds: UInt64 = 1
    /// Subscriptions to what is no legal filter.
    public var unknownTopics: UInt64 = 0
    /// Subscriptions to one feed more than there may be.
    public var refusedTopics: UInt64 = 0
    public var failures: UInt64 = 0
    /// Connections that are open at the moment. Within a process (`inproc`) there are none.
    public var connections: UInt64 = 0

    public init() {}

    public var wire: [WireCounter] {
        [
            ("feed_published", published), ("feed_beacons", beacons), ("feed_subscriptions", subscriptions),
            ("feed_topics", feeds), ("feed_unknown_topics", unknownTopics), ("feed_refused_topics", refusedTopics),
            ("feed_failures", failures), ("feed_connections", connections),
        ].map { name, value in
            .with {
                $0.name = name
                $0.value = value
            }
        }
    }
}
