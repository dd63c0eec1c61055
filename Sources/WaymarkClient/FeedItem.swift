// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed

/// The point at which a feed begins.
public enum FeedStart: Hashable, Sendable {
    /// Begins at the next change.
    case now
    /// Begins after this position, which is usually the caller's last known position.
    case after(Position)
    /// Begins with the oldest change that the log keeps, which the client asks storage for. If this change is compacted
    /// before it was read, the feed ends with the error `compacted`.
    case oldest
    /// Begins with every matching landmark, as of one revision, followed by the changes after that revision.
    case snapshot
}

/// An item of a feed. Items come in order.
public enum FeedItem: Sendable {
    /// A landmark of the snapshot, in the order of ids, with the position of the whole snapshot.
    case landmark(Landmark, Position)
    /// The snapshot is complete. Together its landmarks are the state at exactly this position.
    case synced(Position)
    case change(FeedChange)
    /// Every change up to this position has been delivered.
    case reached(Position)
    /// Nothing was received from the publisher for a while. Changes come from the log until the publisher is back.
    case lost(FeedLoss)
    /// Live changes after this position are missing, and are being read from the log.
    case gap(Position)
    /// Every change missed since ``lost(_:)`` or ``gap(_:)`` has been delivered, `replayed` of them from the log.
    case resumed(Position, replayed: UInt64)
}
