// SPDX-License-Identifier: Apache-2.0

/// Counters of a publisher.
public struct FeedPublisherCounters: Sendable {
    public var published: UInt64 = 0
    public var beacons: UInt64 = 0
    public var subscriptions: UInt64 = 0
    /// The number of topics that have subscribers at present, including the topic of everything.
    public var feeds: UInt64 = 1
    /// Subscriptions whose topic is not a legal filter.
    public var unknownTopics: UInt64 = 0
    /// Subscriptions beyond the maximum number of feeds.
    public var refusedTopics: UInt64 = 0
    /// Messages that could not be sent because of an error.
    public var failures: UInt64 = 0
    /// Changes that were not sent because too many bytes wait for slow subscribers, or because this version cannot read
    /// the change. Subscribers read these changes from the log.
    public var heldBack: UInt64 = 0
    /// Bytes of changes that wait to be written to subscribers.
    public var bytesHeld: UInt64 = 0
    /// Connections that were closed because their key may not follow the feed any more.
    public var cutOff: UInt64 = 0
    public var connections: UInt64 = 0
    public var connectionsTurnedAway: UInt64 = 0
}
