// SPDX-License-Identifier: Apache-2.0

internal import Landmarks

/// The run of storage that this service uses, and the rule that keeps it from returning to an earlier run. Pure.
///
/// With several endpoints, two storages can be alive: an earlier one that was frozen or cut off, and the one that has
/// taken over. Both have the same epoch. The earlier storage can no longer write, but it can answer and publish beacons
/// with its old run and head. Neither heads nor runs tell which storage is the later: the two heads may be equal, and
/// the time in a run's id comes from another machine's clock. Two facts tell it:
///
/// - Every takeover makes a new run. So a run that was replaced by another is over for good.
/// - Every acknowledged or published change is in the database, and a storage that takes over reads all of them. So a
///   storage is an earlier one if it has the same epoch, but its head is below a revision that this service has seen.
///
/// All answers, pages of the log and pages of the snapshot come through one connection, whose storage this rule has
/// admitted. Changes from the feed count only once a page of the same run has been read (`FeedReceiver`). So a storage
/// that was not admitted cannot tell this service anything.
struct StorageRuns {
    private(set) var current: UUIDv7?
    /// The runs that were replaced, latest last. After this many takeovers the oldest run is forgotten.
    private var left: [UUIDv7] = []
    private static let most = 256

    /// - Parameters:
    ///   - position: the epoch and head of the storage in question.
    ///   - known: the newest position that this service has heard of.
    /// - Returns: whether the storage may be used. If so, all other runs are over.
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
