// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The position of a change, or of a beacon, in the history and in the feed: the first fields of a `FeedBatch`. See
/// `Protocol.md`, part The feed.
public struct FeedHeader: Hashable, Sendable {
    public var epoch: UUIDv7
    /// The run of the publisher; every start has a new one.
    public var run: UUIDv7
    /// The number of the change in this feed and run. A beacon has the number of the last change before it.
    public var n: UInt64
    /// The revision of a change. In a beacon: the head, up to which everything has been published.
    public var rev: UInt64
    /// The oldest revision that the log keeps; only in a beacon.
    public var floor: UInt64
    /// The operation that a filtered feed sees; nil if it equals the change's own. A batch has these in a list of their
    /// own.
    public var operation: FeedOperation?

    public init(epoch: UUIDv7, run: UUIDv7, n: UInt64, rev: UInt64, floor: UInt64 = 0) {
        (self.epoch, self.run, self.n, self.rev, self.floor) = (epoch, run, n, rev, floor)
    }

    /// An encoded `FeedBatch` without changes.
    public var encoded: [UInt8] {
        var wire = WireWriter(expecting: 72)
        write(to: &wire)
        return wire.bytes
    }

    func write(to wire: inout WireWriter) {
        wire.id(FeedBatchField.epoch, epoch)
        wire.id(FeedBatchField.run, run)
        wire.number(FeedBatchField.n, n)
        wire.number(FeedBatchField.rev, rev)
        wire.number(FeedBatchField.floor, floor)
    }

    /// Nil if the bytes are not a header.
    public init?(encoded bytes: UnsafeRawBufferPointer) {
        var (epoch, run): (UUIDv7?, UUIDv7?) = (nil, nil)
        var (n, rev, floor): (UInt64, UInt64, UInt64) = (0, 0, 0)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (FeedBatchField(rawValue: field), value) {
            case (.epoch, .bytes(let bytes)): epoch = UUIDv7(bytes: bytes)
            case (.run, .bytes(let bytes)): run = UUIDv7(bytes: bytes)
            case (.n, .number(let value)): n = value
            case (.rev, .number(let value)): rev = value
            case (.floor, .number(let value)): floor = value
            default: break
            }
        }
        guard fields.isWhole, let epoch, let run else { return nil }
        self.init(epoch: epoch, run: run, n: n, rev: rev, floor: floor)
    }
}
