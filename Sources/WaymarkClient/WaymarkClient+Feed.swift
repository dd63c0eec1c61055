// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed

extension WaymarkClient {
    /// Returns the feed of the changes that match a filter. The changes come in order, each once, and none is missing.
    ///
    /// The publisher evaluates as much of the filter as fits into a topic, and the client evaluates the rest. A lost
    /// connection is restored automatically, and missed changes are read from the log. The queue of received items is
    /// limited, so a slow reader gets later changes from the log.
    ///
    /// - Parameter start: the point at which the feed begins.
    public func feed(since start: FeedStart = .now, matching filter: FeedFilter = .everything) -> FeedSequence {
        FeedSequence(client: self, start: start, filter: filter)
    }

    /// Returns the changes that match a filter, each once and in order; see ``feed(since:matching:)``.
    public func changes(since start: FeedStart = .now, matching filter: FeedFilter = .everything) -> ChangeSequence {
        feed(since: start, matching: filter).compactMap { $0.asChange }
    }

    /// The counters of all feeds of this client, added up, including feeds that have ended.
    public var feedCounters: FeedCounters { get async { await connection.feedCounters } }
}
