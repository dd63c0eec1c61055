// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceHost
import WaymarkProtocol
import WaymarkTransport

extension QueryServer {
    /// Once a second.
    func upkeep() {
        server?.settle()
        let waiting = (server?.counters.answerBytesHeld ?? 0) + UInt64(queued.bytes + parked.bytes)
        spareMemory.look(received: server?.counters.received ?? 0, waiting: waiting)
        // Never passed on: nothing was done.
        if isStorageAway { refuseQueued(.storageAway) }
        upkeeps += 1
        guard upkeeps.isMultiple(of: 10),
            let news = openFiles.look(count: OpenFiles.count, limit: OpenFiles.limit)
        else { return }
        logger.log(level: news.isWarning ? .warning : .notice, "\(news.sentence)")
    }

    func storageChanged(_ isThere: Bool) {
        guard isThere else { return logger.warning("storage is away") }
        logger.info("storage connected")
        // It may be another release now.
        Task { _ = try? await helloStorage() }
    }

    /// Milliseconds since storage's feed was last heard, also while no feed is followed.
    var age: UInt64 { follower?.silence ?? Monotonic.milliseconds - lastHeard }

    /// Whether storage cannot be asked at the moment: there is no connection, or one on which nothing comes.
    ///
    /// While the feed is lost the log is asked every few seconds, so a storage that is there has answered lately.
    var isStorageAway: Bool {
        guard let storage, storage.isConnected else { return true }
        return isFeedLost && Monotonic.milliseconds - storage.lastAnswer > Self.patience
    }

    /// Milliseconds: longer than the follower's pause between two questions to the log.
    private static let patience = UInt64(2 * WaymarkProtocol.beaconsMissed * WaymarkProtocol.beaconMilliseconds)
}
