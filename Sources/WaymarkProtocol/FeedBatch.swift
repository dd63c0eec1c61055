// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// Collects the changes of one feed, and writes them as one message: the topic, followed by a `FeedBatch`.
///
/// Many changes in one message cost libzmq as much as one change. What limits many small messages to 256 subscribers is
/// the work for each message and not the bytes.
public struct FeedBatchWriter: Sendable {
    /// The size in bytes at which the collected changes should be sent.
    public static let fullBytes = 64 * 1024

    /// The encoded changes, each as a field `changes` of a `FeedBatch`.
    private var changes = WireWriter()
    private var operations: [UInt8] = []
    private var hasOperations = false
    /// The revision of the last change added.
    private var rev: UInt64 = 0
    public var count: Int { operations.count }

    public init() {}

    public var isEmpty: Bool { count == 0 }
    public var isFull: Bool { changes.bytes.count >= Self.fullBytes }

    /// Adds the next change of the feed.
    public mutating func append(_ change: EncodedChange, _ operation: FeedOperation) {
        changes.message(FeedBatchField.changes, change.bytes)
        rev = change.rev
        hasOperations = hasOperations || operation == .entered || operation == .left
        operations.append(UInt8(truncatingIfNeeded: WireChange.Operation(operation).rawValue))
    }

    /// Returns the message with all collected changes. They stay until ``removeAll()``.
    ///
    /// - Parameter n: the number of the last change in the feed.
    public func message(_ topic: FeedTopic, epoch: UUIDv7, run: UUIDv7, n: UInt64) -> [UInt8] {
        var message = WireWriter(expecting: topic.bytes.count + 80 + changes.bytes.count + count)
        message.bytes += topic.bytes
        // A batch begins with the fields of a header.
        FeedHeader(epoch: epoch, run: run, n: n, rev: rev).write(to: &message)
        message.bytes += changes.bytes
        if hasOperations { message.message(FeedBatchField.operations, operations) }
        return message.bytes
    }

    /// Removes the changes. Keeps the memory for the next ones, unless it is unusually large.
    public mutating func removeAll() {
        if changes.bytes.capacity > 2 * Self.fullBytes { changes = WireWriter() } else { changes.removeAll() }
        operations.removeAll(keepingCapacity: true)
        hasOperations = false
    }
}

/// An encoded `FeedBatch` that was received. Valid as long as the bytes.
public struct FeedBatchView {
    /// The header of the batch's last change, or of a beacon.
    public let header: FeedHeader
    /// The number of changes; 0 in a beacon.
    public let count: Int
    private let bytes: UnsafeRawBufferPointer
    private let operations: UnsafeRawBufferPointer?

    /// Finds the fields. Nil if the bytes are not a `FeedBatch`.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let header = FeedHeader(encoded: bytes) else { return nil }
        var count = 0
        var operations: UnsafeRawBufferPointer?
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (FeedBatchField(rawValue: field), value) {
            case (.changes, .bytes): count += 1
            case (.operations, .bytes(let bytes)): operations = bytes
            default: break
            }
        }
        guard UInt64(count) <= header.n,
            operations.map({ $0.count == count && $0.allSatisfy { $0 < 0x80 } }) ?? true
        else { return nil }
        (self.header, self.bytes, self.count, self.operations) = (header, bytes, count, operations)
    }

    /// Calls `body` with each change and its header, in order, until `body` returns false. `rev` of the header is the
    /// change's own revision, or 0 if the change cannot be read. The change is then nil.
    public func forEach(_ body: (FeedHeader, EncodedChange?) -> Bool) {
        var fields = WireFields(bytes)
        var place = 0
        while let bytes = fields.next(FeedBatchField.changes) {
            let change = EncodedChange([UInt8](bytes))
            var one = header
            one.rev = change?.rev ?? 0
            one.n = header.n - UInt64(count - 1 - place)
            one.operation = operations.flatMap {
                WireChange.Operation(rawValue: Int($0[place])).flatMap { FeedOperation($0) }
            }
            guard body(one, change) else { return }
            place += 1
        }
    }
}
