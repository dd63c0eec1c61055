// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// A change that is durable by now, as the publisher takes it.
public struct PublishedChange: Sendable {
    public var rev: UInt64
    public var operation: Change.Operation
    /// The landmark afterwards; when it was removed, as it last was.
    public var after: FilterSubject
    /// Nil when it was added.
    public var before: FilterSubject?
    /// An encoded `Change`, shared by all feeds.
    public var payload: [UInt8]

    public init(
        rev: UInt64, operation: Change.Operation, after: FilterSubject, before: FilterSubject?, payload: [UInt8]
    ) {
        (self.rev, self.operation, self.payload) = (rev, operation, payload)
        (self.after, self.before) = (after, before)
    }
}
