// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The feeds that have subscribers, by topic, and indexed so that the candidates for a change are found quickly.
struct FeedIndex {
    /// A topic with subscribers, and the number of the last message on it.
    final class Feed: IndexedFilter {
        let topic: FeedTopic
        /// The feed's part of all feeds, each of which has its own time for beacons.
        let part: Int
        var n: UInt64
        /// The changes that have not been sent yet.
        var batch = FeedBatchWriter()
        var place = 0
        /// The first subscriber, to whose share of topics the feed counts; nil if the feed counts to no share.
        let owner: FeedOwner?

        init(_ topic: FeedTopic, n: UInt64, owner: FeedOwner? = nil) {
            (self.topic, self.n, self.owner) = (topic, n, owner)
            part = Int(topic.hashValue.magnitude % UInt(FeedIndex.parts))
        }

        var filter: FeedFilter { topic.filter }
    }

    static let parts = 8

    private(set) var feeds: [FeedTopic: Feed] = [:]
    private var filters = FilterIndex<Feed>()

    subscript(topic: FeedTopic) -> Feed? { feeds[topic] }
    var count: Int { feeds.count }
    /// Whether the index has no feeds, and no lists are left of removed feeds.
    var isEmpty: Bool { feeds.isEmpty && filters.isEmpty }

    mutating func insert(_ feed: Feed) {
        feeds[feed.topic] = feed
        filters.insert(feed)
    }

    mutating func remove(_ topic: FeedTopic) {
        if let feed = feeds.removeValue(forKey: topic) { filters.remove(feed) }
    }

    /// Calls `body` once for each feed that may contain a change.
    mutating func candidates(_ change: EncodedChange.Subjects, _ body: (Feed) -> Void) {
        filters.candidates(before: change.before, after: change.after, body)
    }
}
