// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import WaymarkProtocol
import ZeroMQ

/// Sends the changes of a ``FeedPublisher``: groups them into numbered messages, and decides when to send them.
///
/// The changes of a commit leave as one message on each topic. While there are many subscribers, the changes of several
/// commits are grouped too: see ``pause``.
package final class FeedSender {
    /// The maximum number of bytes of changes that wait in batches, for all feeds together.
    private static let mostGathered = 1024 * 1024

    let loop: EventLoop
    private let listener: Listener
    private let outbox = Outbox<Void>()
    private let held = HeldBytes()
    /// The feeds with changes that have not been sent yet.
    private var gathering: [FeedIndex.Feed] = []
    private var gatheredBytes = 0
    /// The time at which batches were last sent, in monotonic nanoseconds.
    private var lastFlush: UInt64 = 0
    private var timer: LoopTimer?
    var numbering: FeedNumbering
    /// The maximum of ``pause``, in nanoseconds.
    package var longestPause: UInt64 = 5_000_000
    /// The maximum number of bytes of changes that may wait in libzmq's queues. A message counts once for all its
    /// subscribers.
    package var mostHeld = 256 * 1024 * 1024
    /// The number of messages that could not be sent because of an error.
    private(set) var failures: UInt64 = 0

    init(_ listener: Listener, _ numbering: FeedNumbering, loop: EventLoop) {
        (self.listener, self.numbering, self.loop) = (listener, numbering, loop)
    }

    var bytesHeld: UInt64 { UInt64(max(0, held.count)) }
    var isFull: Bool { held.count > mostHeld }

    /// The minimum number of nanoseconds between two messages to all subscribers. A change that comes later than that
    /// after the last message is sent at once.
    ///
    /// A message costs some 8 µs of processor time for each connection at each of its two ends together, whatever its
    /// size. One change each millisecond for 256 subscribers would keep two cores busy, and each message would wait for
    /// the others. So the pause limits messages to about half a core, unless ``longestPause`` is shorter. Below 63
    /// connections it is 0.
    private var pause: UInt64 {
        let pause = min(listener.connections * 16_000, longestPause)
        return pause < 1_000_000 ? 0 : pause
    }

    /// Runs `body`, and sends its changes and beacons together, either before returning or after a ``pause``.
    func together(_ body: () -> Void) {
        outbox.together(body) { sendDue() }
    }

    /// Sends due messages, unless a call of ``together(_:)`` is gathering more.
    func settle() {
        if !outbox.isGathering { sendDue() }
    }

    /// Sends due messages. Batches whose ``pause`` is not over are sent later, by the timer.
    private func sendDue() {
        guard !gathering.isEmpty, gatheredBytes < FeedBatchWriter.fullBytes else { return flush() }
        let (now, pause) = (Monotonic.nanoseconds, pause)
        guard pause > 0, now - lastFlush < pause else { return flush() }
        send()
        guard timer?.isOver ?? true else { return }
        timer = loop.schedule(after: .nanoseconds(Int64(pause - (now - lastFlush)))) { [weak self] in self?.flush() }
    }

    /// Adds a change to the next message of a feed.
    func gather(_ change: EncodedChange, _ operation: FeedOperation, _ feed: FeedIndex.Feed) {
        if feed.batch.isEmpty { gathering.append(feed) }
        feed.batch.append(change, operation)
        gatheredBytes += change.bytes.count
        // The size is checked for all feeds together, because one large landmark may be in the batches of many feeds.
        if feed.batch.isFull || gatheredBytes > Self.mostGathered { sendBatches() }
    }

    /// Moves the gathered changes into the outbox, one message for each feed.
    private func sendBatches() {
        for feed in gathering {
            let message = feed.batch.message(feed.topic, epoch: numbering.epoch, run: numbering.run, n: feed.n)
            feed.batch.removeAll()
            put(message)
        }
        gathering.removeAll(keepingCapacity: true)
        gatheredBytes = 0
        lastFlush = Monotonic.nanoseconds
    }

    /// Sends a beacon.
    func send(_ beacon: FeedHeader, _ feed: FeedIndex.Feed) { put(feed.topic.bytes + beacon.encoded) }

    /// Puts a message into the outbox. Its bytes count as held until libzmq has written it to the last subscriber.
    private func put(_ message: [UInt8]) {
        if outbox.add((), payload: Frame(message, countedBy: held), { _ in }) { send() }
    }

    private func send() {
        // An XPUB socket never blocks. It drops messages that do not fit into a subscriber's full queue, and the
        // subscriber notices the missing numbers. So only an error leaves a message unsent.
        try? outbox.flush(to: listener.socket) { _, outcome in
            if outcome == nil { failures += 1 }
        }
    }

    /// Sends all published changes that wait.
    func flush() {
        timer?.cancel()
        if !gathering.isEmpty { sendBatches() }
        send()
    }
}
