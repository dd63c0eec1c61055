// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport
import ZeroMQ

/// One feed of the client: its follower, the queue of received items, and the caller that waits for the next item.
///
/// The queue is limited. When it is full the follower pauses, and later reads the missed changes from the log. So a
/// slow reader costs time, but neither memory nor changes. A consumer is used only on the client's event loop, except
/// that its reader takes items on any thread.
///
/// `@unchecked Sendable`: only ``next(_:)`` is called away from the event loop. It uses the state, which has a lock,
/// and leaves the follower to the event loop. The last reference may be released anywhere, because ``close()`` has
/// closed the follower's sockets before.
final class FeedConsumer: @unchecked Sendable {
    typealias Reader = CheckedContinuation<FeedQueue.Item?, Never>

    private struct State: Sendable {
        var queue: FeedQueue
        var reader: Reader?
        var isOver = false
        /// Whether a failure was put, which is the last item of a feed.
        var hasFailed = false

        /// - Returns: whether the item was accepted, the reader that gets it, and whether the follower has to pause.
        mutating func put(_ item: FeedQueue.Item) -> (isAccepted: Bool, reader: Reader?, mustHold: Bool) {
            guard !isOver, !hasFailed else { return (false, nil, false) }
            if case .failure = item { hasFailed = true }
            guard let reader = reader.take() else { return (true, nil, queue.put(item)) }
            return (true, reader, false)
        }

        /// - Returns: the item to resume the reader with, nil if the reader has to wait; and whether the follower may
        ///   resume.
        mutating func next(_ reader: Reader) -> (item: FeedQueue.Item??, mayResume: Bool) {
            if let (item, mayResume) = queue.take() { return (item, mayResume) }
            guard !isOver, !hasFailed, self.reader == nil else { return (.some(nil), false) }
            self.reader = reader
            return (nil, false)
        }
    }

    let follower: FeedFollower
    private let state: Locked<State>

    init(follower: FeedFollower, bounds: FeedBounds = FeedBounds()) {
        self.follower = follower
        state = Locked(State(queue: FeedQueue(bounds)))
    }

    /// Hands an item on, directly to the reader if it waits.
    func put(_ item: FeedQueue.Item) {
        let (isAccepted, reader, mustHold) = state.withLock { $0.put(item) }
        if isAccepted, case .failure = item { follower.close() }
        reader?.resume(returning: item)
        if mustHold { follower.hold() }
    }

    /// Resumes the reader with the next item as soon as there is one, or with nil when the consumer is closed. May be
    /// called on any thread.
    func next(_ reader: Reader) {
        let (item, mayResume) = state.withLock { $0.next(reader) }
        if let item { reader.resume(returning: item) }
        guard mayResume else { return }
        follower.loop.submit {
            // Items that came meanwhile may have filled the queue again.
            if !self.state.withLock({ $0.queue.isHolding }) { self.follower.release() }
        }
    }

    func close() {
        follower.close()
        let reader = state.withLock { state in
            state.isOver = true
            state.queue.removeAll()
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }
}
