// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Failpoints
import Landmarks
import WaymarkProtocol
import WaymarkTransport

/// One feed of the client: what it has brought and nobody has taken yet.
///
/// Bounded: when it is full the follower is held, and what comes then is read from the log later. Falling behind costs
/// time, not memory and not changes. Lives on the client's loop.
final class FeedTap {
    private static let high = 4_096
    private static let low = 1_024
    private static let mostBytes = 16 * 1024 * 1024

    let follower: FeedFollower
    private var items: Deque<Result<FeedItem, ClientError>> = []
    /// About what they take.
    private var bytes = 0
    private var waiter: CheckedContinuation<Result<FeedItem, ClientError>?, Never>?
    private var isHeld = false
    private var isOver = false
    /// Nothing follows a failure.
    private var hasFailed = false
    var endpoint = ""
    /// The publisher is not heard at the moment.
    var isLost = false

    init(follower: FeedFollower) {
        self.follower = follower
    }

    func put(_ item: Result<FeedItem, ClientError>) {
        guard !isOver, !hasFailed else { return }
        if case .failure = item {
            hasFailed = true
            follower.close()
        }
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: item)
            return
        }
        // Of two marks in a row only the later one says anything.
        if case .success(.reached) = item, case .success(.reached)? = items.last { items.removeLast() }
        items.append(item)
        if Mutation.isOn(.unordered), items.count > 1 { items.swapAt(items.count - 1, items.count - 2) }
        if Mutation.isOn(.twice), items.count % 50 == 1 { items.append(item) }
        bytes += item.bytes
        if items.count >= Self.high || bytes >= Self.mostBytes, !isHeld {
            isHeld = true
            follower.hold()
        }
    }

    /// What comes next, at once or as soon as it is there; nil when the tap is closed.
    func take(_ continuation: CheckedContinuation<Result<FeedItem, ClientError>?, Never>) {
        if let item = items.popFirst() {
            continuation.resume(returning: item)
            bytes -= item.bytes
            if isHeld, items.count < Self.low, bytes < Self.mostBytes / 2 {
                isHeld = false
                follower.release()
            }
        } else if isOver || hasFailed || waiter != nil {
            continuation.resume(returning: nil)
        } else {
            waiter = continuation
        }
    }

    func close() {
        isOver = true
        follower.close()
        items.removeAll()
        waiter?.resume(returning: nil)
        waiter = nil
    }
}

extension Result<FeedItem, ClientError> {
    /// About what it takes: its texts, and something for the rest.
    fileprivate var bytes: Int {
        guard case .success(.change(let told)) = self else { return 100 }
        return told.change.landmark.weight + (told.change.before?.weight ?? 0)
    }
}

extension Landmark {
    fileprivate var weight: Int {
        notes.reduce(500 + name.utf8.count + link.utf8.count) { $0 + 200 + $1.text.utf8.count }
    }
}
