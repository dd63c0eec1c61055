// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks
import WaymarkProtocol
import ZeroMQ

/// Sends the changes of a ``FeedPublisher``: groups them into messages, numbers them, and decides when they leave.
///
/// The changes of a commit leave as one message on each topic. While there are many subscribers, later commits are
/// grouped too: see ``pause``.
package final class FeedSender {
    /// The most bytes of changes that wait in batches, for all feeds together.
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
    /// The longest time between two messages to all subscribers, in nanoseconds. See ``pause``.
    package var longestPause: UInt64 = 5_000_000
    /// The most bytes of changes that may wait in libzmq's queues. A message counts once, whatever the number of its
    /// subscribers.
    package var mostHeld = 256 * 1024 * 1024
    /// Messages that could not be sent because of an error.
    private(set) var failures: UInt64 = 0

    init(_ listener: Listener, _ numbering: FeedNumbering, loop: EventLoop) {
        (self.listener, self.numbering, self.loop) = (listener, numbering, loop)
    }

    var bytesHeld: UInt64 { UInt64(max(0, held.count)) }
    var isFull: Bool { held.count > mostHeld }

    /// The nanoseconds between two messages to all subscribers. A change that comes later than that is sent at once.
    ///
    /// A message costs some 8 µs of processor time for each connection, on both ends together, whatever its size. A
    /// single change a millisecond for 256 subscribers would keep two cores busy, and each would wait for the others.
    /// So no more than about half a core is spent on messages, as long as ``longestPause`` allows; below 63 connections
    /// there is no pause.
    private var pause: UInt64 {
        let pause = min(listener.connections * 16_000, longestPause)
        return pause < 1_000_000 ? 0 : pause
    }

    /// Sends everything that `body` sends and gathers together: before this returns, or after a ``pause``.
    func together(_ body: () -> Void) {
        outbox.together(body) { sendDue() }
    }

    /// Sends due messages unless more are being gathered.
    func settle() {
        if !outbox.isGathering { sendDue() }
    }

    /// Sends due messages; batches within the pause stay for later.
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
        // One large landmark may be in the batches of many feeds.
        if feed.batch.isFull || gatheredBytes > Self.mostGathered { sendBatches() }
    }

    /// Puts the gathered changes into the outbox.
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

    /// Puts a message into the outbox. The message counts as held until the last subscriber has it.
    private func put(_ message: [UInt8]) {
        if outbox.add((), payload: Frame(message, countedBy: held), { _ in }) { send() }
    }

    private func send() {
        // An XPUB socket never blocks: it drops messages that do not fit into a subscriber's full queue, and the
        // subscriber finds out by the numbers. So only an error leaves a message unsent.
        try? outbox.flush(to: listener.socket) { _, outcome in
            if outcome == nil { failures += 1 }
        }
    }

    /// Sends all published changes.
    func flush() {
        timer?.cancel()
        if !gathering.isEmpty { sendBatches() }
        send()
    }
}
