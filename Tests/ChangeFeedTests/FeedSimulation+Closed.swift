// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Landmarks

/// A feed whose port a firewall closes and opens.
extension FeedSimulation {
    mutating func send(_ message: Message) { if !isClosed { wire.append(message) } }

    mutating func close() {
        isClosed = true
        (wire, old) = ([], [])
    }

    mutating func open() {
        isClosed = false
        wire = [storage.beacon()]
    }

    mutating func silence() {
        isSilent = true
        perform(receiver.silence())
    }

    /// Everything has to come by the log alone.
    mutating func settleClosed() {
        for _ in 0..<10_000 where end == nil {
            takeItems()
            if pull == nil { silence() }
            // A page of another history may have as many revisions, so only one of the present run is the end.
            if receiver.position == Position(epoch: storage.epoch, rev: storage.head, run: storage.run) { break }
            answerPull(fails: false)
        }
        guard end == nil, problem == nil else { return }
        let expected = storage.expected(after: start, through: storage.head)
        if received != expected { problem = "closed, got \(received), the log has \(expected)" }
    }
}
