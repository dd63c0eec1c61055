// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import Landmarks
import SwiftProtobuf

/// A page of the change log: the answer to `changes`, of storage or from a relay's memory.
public struct ChangeLogPage: Hashable, Sendable {
    /// Encoded `Change` messages.
    public var changes: [Data] = []
    /// The operation of each change as the filter sees it. Empty without a filter.
    public var operations: [FeedOperation] = []
    /// The page is complete through this revision.
    public var through: UInt64
    public var head: UInt64
    public var floor: UInt64

    public init(through: UInt64, head: UInt64, floor: UInt64) {
        (self.through, self.head, self.floor) = (through, head, floor)
    }

    /// The encoded `Reply`.
    ///
    /// - Parameter run: the run of storage in whose history the question's position was found.
    public func encoded(run: UUIDv7) -> [UInt8] {
        WireReadyReply.with {
            $0.changes = .with {
                ($0.changes, $0.through, $0.head, $0.floor) = (changes, through, head, floor)
                $0.operations = operations.map { UInt32(WireChange.Operation($0).rawValue) }
                $0.run = run.wire
            }
        }.encoded
    }
}
