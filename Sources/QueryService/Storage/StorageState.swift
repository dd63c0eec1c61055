// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
internal import WaymarkTransport

/// The facts about storage that its answers tell.
struct StorageState {
    /// The protocol version that storage chose. This service speaks it with storage, and offers clients no higher
    /// version, because their requests may have to be forwarded unchanged.
    var version: UInt8
    /// The newest known revision of the history ``epoch``.
    private(set) var head: UInt64 = 0
    private(set) var epoch: UUIDv7?
    var runs = StorageRuns()
    /// The run that was refused last, so that each refused run is logged once.
    var refusedRun: UUIDv7?
    /// The oldest revision from which changes are available.
    var floor: UInt64 = 1
    /// The address where storage publishes changes.
    var changes = FeedAddress("")

    /// The newest known position.
    var known: Position? { epoch.map { Position(epoch: $0, rev: head) } }

    /// Records the epoch and the newest revision from storage's answer to `hello`.
    mutating func greeted(epoch: UUIDv7, head: UInt64) {
        if self.epoch != epoch { (self.epoch, self.head) = (epoch, head) }
    }

    /// Forgets the newest revision. Called when storage has said that the followed position is not in its history. A
    /// restored backup keeps the epoch, so no request may wait for a revision that only the lost history had.
    mutating func cut() { head = 0 }

    /// Records the revision of a change in the followed history.
    mutating func told(_ rev: UInt64) { head = max(head, rev) }

    /// Records the position in an answer's header. A late answer may come from another history; its position is
    /// ignored.
    mutating func answered(at position: Position?) {
        guard let position, epoch == nil || position.epoch == epoch else { return }
        told(position.rev)
    }
}
