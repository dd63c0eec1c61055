// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A committed change. Storage's engine makes it, and the publisher sends it to every feed whose filter it matches.
public struct CommittedChange: Hashable, Sendable {
    public var rev: UInt64
    public var operation: Change.Operation
    /// What filters look at: the landmark after the change. A removed landmark is as it last was.
    public var after: FilterSubject
    /// The landmark before the change; nil if the change added it.
    public var before: FilterSubject?
    /// An encoded `Change`: the log's row and the payload of all feeds.
    public var bytes: [UInt8]

    public init(
        rev: UInt64, operation: Change.Operation, after: FilterSubject, before: FilterSubject?, bytes: [UInt8]
    ) {
        (self.rev, self.operation, self.bytes) = (rev, operation, bytes)
        (self.after, self.before) = (after, before)
    }
}
