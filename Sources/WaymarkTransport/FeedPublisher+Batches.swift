// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol
import ZeroMQ

/// When changes leave, and in which messages.
extension FeedPublisher {
    /// Sends what is published within `body` together: before this returns, or after a ``pause``.
    public func together(_ body: () -> Void) {
        outbox.together(body) { settled() }
    }

    /// The nanoseconds between two messages to all subscribers. A change that comes after more time leaves at once.
    ///
    /// A message costs some 8 µs of processor time for each connection, on both ends together, whatever it holds. A
    /// single change a millisecond for 256 subscribers would keep two cores busy, and each would wait for the others. So
    /// no more than about half a core is spent on messages, as long as ``longestPause`` allows; below 64 connections there
    /// is no pause.
    private var pause: UInt64 {
        let pause = min(UInt64(gate?.open ?? 0) * 16_000, longestPause)
        return pause < 1_000_000 ? 0 : pause
    }

    /// Sends what is due, and leaves batches for later within the pause.
    func settled() {
        guard !gathering.isEmpty, gatheredBytes < FeedBatchWriter.fullBytes else { return flush() }
        let (now, pause) = (Monotonic.nanoseconds, pause)
        guard pause > 0, now - lastFlush < pause else { return flush() }
        send()
        guard flushTimer == nil else { return }
        flushTimer = loop.schedule(after: .nanoseconds(Int64(pause - (now - lastFlush)))) { [weak self] in
            self?.flush()
        }
    }

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
            send(message)
        }
        gathering.removeAll(keepingCapacity: true)
        gatheredBytes = 0
        lastFlush = Monotonic.nanoseconds
    }

    /// Puts a message of one frame into the outbox.
    func send(_ message: [UInt8]) {
        if outbox.add((), payload: Frame(message, countedBy: held), { _ in }) { send() }
    }

    /// Sends everything that has been published.
    public func flush() {
        flushTimer?.cancel()
        flushTimer = nil
        if !gathering.isEmpty { sendBatches() }
        send()
    }
}
