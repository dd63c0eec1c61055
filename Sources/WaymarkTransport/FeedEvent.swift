// SPDX-License-Identifier: Apache-2.0

public import ChangeFeed
public import Landmarks
public import WaymarkProtocol

/// An event that a follower reports to its owner.
public enum FeedEvent: Sendable {
    case change(EncodedChange, FeedOperation)
    /// Every change through this revision has been reported.
    case reached(rev: UInt64)
    /// Nothing was received for a while: the publisher is down, or the connection to the publisher is broken.
    case lost(FeedLoss)
    /// Messages of the live feed after this revision are missing. The follower reads them from the log.
    case gap(rev: UInt64)
    /// The state after ``lost(_:)`` or ``gap(rev:)`` is over: every missed change was reported, `replayed` of them from
    /// the log.
    case resumed(rev: UInt64, replayed: UInt64)
    /// The changes after the follower's position are not available any more. No event follows.
    case ended(ServiceError)
}

/// A change, and its operation with respect to the filter that the service evaluated.
public struct FeedMessage: Sendable {
    public var change: EncodedChange
    /// Nil if the service evaluated no filter.
    public var operation: FeedOperation?
}

/// A page of the change log: the answer to a pull.
public struct PulledPage: Sendable {
    public var changes: [FeedReceiver<FeedMessage>.Item] = []
    /// The revision through which the log was read.
    public var through: UInt64
    /// The newest revision.
    public var head: UInt64
    /// The run of the storage that read the log.
    public var run: UUIDv7?

    /// Whether the log had no later revision.
    var isLast: Bool { through >= head }

    /// Decodes the page in an encoded `Reply`. Nil if there is no page, or if one of its changes cannot be read.
    public init?(encoded reply: [UInt8]) {
        guard case .changes(let page)? = (try? WireRawReply(serializedBytes: reply))?.result else { return nil }
        self.init(page)
    }

    /// Nil if one of the changes cannot be read.
    public init?(_ page: WireRawChangesPage) {
        let hasOperations = page.operations.count == page.changes.count
        (through, head, run) = (page.through, page.head, UUIDv7(bytes: page.run))
        changes.reserveCapacity(page.changes.count)
        for (place, bytes) in page.changes.enumerated() {
            guard let change = EncodedChange([UInt8](bytes)) else { return nil }
            let operation =
                hasOperations
                ? WireChange.Operation(rawValue: Int(page.operations[place])).flatMap { FeedOperation($0) } : nil
            changes.append((change.rev, FeedMessage(change: change, operation: operation)))
        }
    }
}
