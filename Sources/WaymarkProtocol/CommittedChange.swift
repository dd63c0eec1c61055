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

extension CommittedChange {
    /// A change that storage has published, to be published again.
    ///
    /// - Throws: the reason why this is not a change of this version.
    public init(_ received: ReceivedChange) throws(InvalidInput) {
        let bytes = received.bytes
        guard let operation = received.operation else { throw .missing("an operation that is known here") }
        let (after, before) = try bytes.withUnsafeBufferPointer {
            (bytes) throws(InvalidInput) -> (FilterSubject, FilterSubject?) in
            guard let view = ChangeView(UnsafeRawBufferPointer(bytes)), let landmark = view.landmark else {
                throw .missing("a landmark")
            }
            return (
                try FilterSubject(encoded: landmark),
                try view.before.map { bytes throws(InvalidInput) in try FilterSubject(encoded: bytes) }
            )
        }
        self.init(rev: received.rev, operation: operation, after: after, before: before, bytes: bytes)
    }
}
