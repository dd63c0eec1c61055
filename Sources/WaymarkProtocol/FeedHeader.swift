// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The position of a change or a beacon in the history and in its feed. Encoded as the first fields of a `FeedBatch`.
/// See `Protocol.md`, part The feed.
public struct FeedHeader: Hashable, Sendable {
    public var epoch: UUIDv7
    /// The run of the publisher. Each start of the publisher begins a new run.
    public var run: UUIDv7
    /// The number of the change in this feed and run. In a beacon, the number of the last change before it.
    public var n: UInt64
    /// The revision of the change. In a beacon, the newest revision, up to which everything has been published.
    public var rev: UInt64
    /// The oldest revision that the log keeps. Set only in a beacon.
    public var floor: UInt64
    /// The operation as the filter of the feed sees it; nil if it is the operation of the change itself. A batch
    /// encodes these operations in a separate list.
    public var operation: FeedOperation?

    public init(epoch: UUIDv7, run: UUIDv7, n: UInt64, rev: UInt64, floor: UInt64 = 0) {
        (self.epoch, self.run, self.n, self.rev, self.floor) = (epoch, run, n, rev, floor)
    }

    /// The header as an encoded `FeedBatch` without changes.
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

    /// Decodes a header. Nil if the bytes are not one.
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
