// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
public import WaymarkProtocol

/// What a follower reports to its owner.
public enum FeedEvent: Sendable {
    case change(ReceivedChange, FeedOperation)
    /// Every change through this revision has been reported.
    case reached(rev: UInt64)
    /// Nothing was received for a while: the publisher is down, or the connection to it is broken.
    case lost(FeedLoss)
    /// Live messages after this revision are missing. They are read from the log.
    case gap(rev: UInt64)
    /// After ``lost(_:)`` or ``gap(rev:)``: every missed change has been reported, `replayed` of them from the log.
    case resumed(rev: UInt64, replayed: UInt64)
    /// The changes after the position are not available any more. This event is the last one.
    case ended(ServiceError)
}

/// A change, and its operation with respect to the filter that the service evaluated.
public struct FeedMessage: Sendable {
    public var change: ReceivedChange
    /// Nil if the service evaluated no filter.
    public var operation: FeedOperation?

    public init(_ change: ReceivedChange, operation: FeedOperation?) {
        self.change = change
        self.operation = operation
    }
}

/// A page of the change log: the answer to a pull.
public struct PulledPage: Sendable {
    public var changes: [FeedReceiver<FeedMessage>.Item]
    /// The revision through which the log was read.
    public var through: UInt64
    /// Whether there was no later revision.
    public var isLast: Bool
    /// The run of the storage that read it.
    public var run: UUIDv7?

    public init(_ wire: WireChangesPage) {
        let hasOperations = wire.operations.count == wire.changes.count
        changes = wire.changes.enumerated().map { place, change in
            (
                change.rev,
                FeedMessage(
                    ReceivedChange(change), operation: hasOperations ? FeedOperation(wire.operations[place]) : nil)
            )
        }
        (through, isLast) = (wire.through, wire.through >= wire.head)
        run = UUIDv7(bytes: wire.run)
    }

    /// The page of an encoded `Reply`, whose changes stay encoded; nil if it is none, or has a change that cannot be read.
    public init?(encoded reply: [UInt8]) {
        guard case .changes(let page)? = (try? WireReadyReply(serializedBytes: reply))?.result else { return nil }
        let hasOperations = page.operations.count == page.changes.count
        changes = []
        changes.reserveCapacity(page.changes.count)
        for (place, bytes) in page.changes.enumerated() {
            guard let change = ReceivedChange([UInt8](bytes)) else { return nil }
            let operation =
                hasOperations
                ? WireChange.Operation(rawValue: Int(page.operations[place])).flatMap { FeedOperation($0) } : nil
            changes.append((change.rev, FeedMessage(change, operation: operation)))
        }
        (through, isLast) = (page.through, page.through >= page.head)
        run = UUIDv7(bytes: page.run)
    }
}
