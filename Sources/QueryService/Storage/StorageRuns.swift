// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The run of storage that this service uses, and the rule that keeps it from going back to an earlier one. Pure.
///
/// With several endpoints two storages can be alive: one that was frozen or cut off, and the one that has taken over.
/// Both have the same epoch. The earlier one cannot write any more, but it can answer and publish beacons, with its old
/// run and head. Neither the order of revisions nor that of runs tells which one is the later: the earlier head may
/// equal the new one, and the time in a run's id is that of another machine's clock. Two facts do tell:
///
/// - Every takeover makes a new run. So a run that was left for another one is over for good.
/// - Every acknowledged or published change is in the database, and a storage that takes over reads all of them. So a
///   storage whose head, in the same epoch, is below a revision that this service has seen is an earlier one.
///
/// All answers, pages of the log and pages of the snapshot come through one connection, whose storage was admitted by
/// this rule. The feed's changes count only once a page of the same run has been read (`FeedReceiver`). So a storage
/// that is not admitted cannot tell this service anything.
struct StorageRuns {
    private(set) var current: UUIDv7?
    /// The runs that were left, latest last. Bounded: after this many takeovers the oldest is forgotten.
    private var left: [UUIDv7] = []
    private static let most = 256

    /// - Parameters:
    ///   - position: the storage's epoch and head.
    ///   - known: the newest position that this service has heard of.
    /// - Returns: whether the storage may be used. If so, any other run is over.
    mutating func admit(_ run: UUIDv7, at position: Position, known: Position?) -> Bool {
        guard run != current else { return true }
        guard !left.contains(run) else { return false }
        if let known, known.epoch == position.epoch, position.rev < known.rev { return false }
        if let current {
            if left.count == Self.most { left.removeFirst() }
            left.append(current)
        }
        current = run
        return true
    }
}
