// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkTransport

/// What is known of storage from its answers.
struct StorageFacts {
    /// The protocol version that storage chose. It is spoken with storage, and it is the highest one offered to
    /// clients, because their requests may have to be forwarded unchanged.
    var version: UInt8
    /// The newest known revision, in the history ``epoch``.
    private(set) var head: UInt64 = 0
    private(set) var epoch: UUIDv7?
    var runs = StorageRuns()
    /// The run that was refused last, so that it is logged once.
    var refusedRun: UUIDv7?
    /// The oldest revision from which changes can be had.
    var floor: UInt64 = 1
    /// Where changes are published.
    var changes = FeedAddress("")

    /// The newest known position.
    var known: Position? { epoch.map { Position(epoch: $0, rev: head) } }

    init(version: UInt8) { self.version = version }

    /// - Parameter head: storage's newest revision in the history `epoch`.
    mutating func greeted(epoch: UUIDv7, head: UInt64) {
        if self.epoch != epoch { (self.epoch, self.head) = (epoch, head) }
    }

    /// Storage has said that what was followed is not in its history. An older copy that was put back keeps the epoch, so
    /// nothing may be waited for that only the history before had.
    mutating func cut() { head = 0 }

    /// A change of the history that is followed.
    mutating func told(_ rev: UInt64) { head = max(head, rev) }

    /// The position of an answer, which may be from another history: it may have been in flight for long.
    mutating func answered(at position: Position?) {
        guard let position, epoch == nil || position.epoch == epoch else { return }
        told(position.rev)
    }
}
