// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

/// One feed of the client: its follower, the queue of received items, and the caller that waits for the next item.
///
/// The queue is limited. When it is full the follower pauses, and later reads the missed changes from the log. So a
/// slow reader costs time, but neither memory nor changes. A consumer is used only on the client's event loop.
final class FeedConsumer {
    let follower: FeedFollower
    private var queue: FeedQueue
    private var waiter: CheckedContinuation<FeedQueue.Item?, Never>?
    private var isOver = false
    /// Whether the queue contains a failure, which is the last item of a feed.
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

    /// Resumes the continuation with the next item as soon as there is one, or with nil when the consumer is closed.
    func next(_ continuation: CheckedContinuation<FeedQueue.Item?, Never>) {
        if let (item, mayResume) = queue.take() {
            continuation.resume(returning: item)
            if mayResume { follower.release() }
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
