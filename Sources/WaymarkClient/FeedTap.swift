// SPDX-License-Identifier: Apache-2.0

import WaymarkTransport

/// One feed of the client: its follower, what that has brought, and whoever waits for the next item.
///
/// Bounded: when the queue is full the follower is held, and what comes then is read from the log later. Falling behind
/// costs time, not memory and not changes. Lives on the client's loop.
final class FeedTap {
    let follower: FeedFollower
    private var queue: FeedQueue
    private var waiter: CheckedContinuation<FeedQueue.Item?, Never>?
    private var isOver = false
    /// Nothing follows a failure.
    private var hasFailed = false

    init(follower: FeedFollower, bounds: FeedBounds = FeedBounds()) {
        self.follower = follower
        queue = FeedQueue(bounds)
    }

    func put(_ item: FeedQueue.Item) {
        guard !isOver, !hasFailed else { return }
        if case .failure = item {
            hasFailed = true
            follower.close()
        }
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: item)
        } else if queue.put(item) {
            follower.hold()
        }
    }

    /// What comes next, at once or as soon as it is there; nil when the tap is closed.
    func take(_ continuation: CheckedContinuation<FeedQueue.Item?, Never>) {
        if let (item, mayGoOn) = queue.take() {
            continuation.resume(returning: item)
            if mayGoOn { follower.release() }
        } else if isOver || hasFailed || waiter != nil {
            continuation.resume(returning: nil)
        } else {
            waiter = continuation
        }
    }

    func close() {
        isOver = true
        follower.close()
        queue.removeAll()
        waiter?.resume(returning: nil)
        waiter = nil
    }
}
