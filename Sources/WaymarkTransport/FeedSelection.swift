// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// The changes that a follower reports: the topic carries as much of the filter as fits, and the rest is evaluated here.
struct FeedSelection {
    let topic: FeedTopic
    private let filter: FeedFilter

    init(_ filter: FeedFilter) {
        self.filter = filter
        topic = FeedTopic(carrying: filter)
    }

    /// The operation of a change with respect to the filter; nil if the filter leaves the change out.
    func operation(of message: FeedMessage) throws(InvalidInput) -> FeedOperation? {
        // The publisher evaluated the topic's filter, which may be wider than this one.
        if topic.isExact(for: filter), let operation = message.operation { return operation }
        return try filter.operation(of: message.change)
    }
}
