// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
public import WaymarkProtocol

/// What a follower tells whoever takes its changes.
public enum FeedEvent: Sendable {
    case change(ReceivedChange, FeedOperation)
    /// Everything through this revision has been told.
    case reached(rev: UInt64)
    /// No beacon for a while: the publisher is away, or the way to it is cut.
    case lost
    /// Live messages are missing after this revision: the log is read.
    case gap(rev: UInt64)
    /// After ``lost`` or ``gap(rev:)``: everything has been told that was missed, `replayed` of it from the log.
    case resumed(rev: UInt64, replayed: UInt64)
    /// The changes after the position cannot be had any more. Nothing follows.
    case ended(ServiceError)
}

/// A change with what somebody has decided that it is to the filter.
public struct FeedMessage: Sendable {
    public var change: ReceivedChange
    /// Nil: not decided.
    public var told: FeedOperation?

    public init(_ change: ReceivedChange, told: FeedOperation?) {
        self.change = change
        self.told = told
    }
}

/// A page of the change log, as a pull was answered.
public struct PulledPage: Sendable {
    public var changes: [FeedReceiver<FeedMessage>.Item]
    public var through: UInt64
    /// Of the storage that read it.
    public var run: UUIDv7?

    public init(_ wire: WireChangesPage) {
        let isTold = wire.operations.count == wire.changes.count
        changes = wire.changes.enumerated().map { place, change in
            (
                change.rev,
                FeedMessage(ReceivedChange(change), told: isTold ? FeedOperation(wire.operations[place]) : nil)
            )
        }
        through = wire.through
        run = UUIDv7(bytes: wire.run)
    }
}
