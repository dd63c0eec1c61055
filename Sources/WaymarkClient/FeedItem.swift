// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Where a feed begins.
public enum FeedStart: Hashable, Sendable {
    /// With what comes next.
    case now
    /// After the last position that was seen.
    case after(Position)
    /// With the state at one revision: each landmark that matches, then the changes after that revision.
    case snapshot
}

/// What a feed brings, in order.
public enum FeedItem: Sendable {
    /// Of the snapshot, in the order of ids, and the position of the whole.
    case landmark(Landmark, Position)
    /// The snapshot is complete: it was the state at exactly this position.
    case synced(Position)
    case change(FeedChange)
    /// Everything through this position has been given.
    case reached(Position)
    /// The publisher has not been heard for a while.
    case lost
    /// Live changes after this position are missing: they are being read from the log.
    case gap(Position)
    /// After ``lost`` or ``gap(_:)``: everything that was missed has been given, `replayed` of it from the log.
    case resumed(Position, replayed: UInt64)
}
