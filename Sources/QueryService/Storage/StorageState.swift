// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkTransport

/// Facts about storage, collected from its answers.
struct StorageState {
    /// The protocol version that storage chose. It is spoken with storage, and it is the highest one offered to
    /// clients, because their requests may have to be forwarded unchanged.
    var version: UInt8
    /// The newest known revision, in the history ``epoch``.
    private(set) var head: UInt64 = 0
    private(set) var epoch: UUIDv7?
    var runs = StorageRuns()
    /// The run that was refused last, kept so that each refusal is logged once.
    var refusedRun: UUIDv7?
    /// The oldest revision from which changes are available.
    var floor: UInt64 = 1
    /// The address where changes are published.
    var changes = FeedAddress("")

    /// The newest known position.
    var known: Position? { epoch.map { Position(epoch: $0, rev: head) } }

    init(version: UInt8) { self.version = version }

    /// Enters the history and newest revision that storage named when it was greeted.
    mutating func greeted(epoch: UUIDv7, head: UInt64) {
        if self.epoch != epoch { (self.epoch, self.head) = (epoch, head) }
    }

    /// Forgets the newest revision, after storage has said that the followed position is not in its history. A restored
    /// backup keeps the epoch, so no request may wait for a revision that only the lost history had.
    mutating func cut() { head = 0 }

    /// Enters the revision of a change in the followed history.
    mutating func told(_ rev: UInt64) { head = max(head, rev) }

    /// Enters the position of an answer. An answer that was in flight for long may be from another history, and is
    /// ignored.
    mutating func answered(at position: Position?) {
        guard let position, epoch == nil || position.epoch == epoch else { return }
        told(position.rev)
    }
}
