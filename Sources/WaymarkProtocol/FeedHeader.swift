// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The header of a published message: its position in the history and in the feed. See `Protocol.md`, part The feed.
public struct FeedHeader: Hashable, Sendable {
    public var epoch: UUIDv7
    /// Every start of the publisher has a new one.
    public var run: UUIDv7
    /// The number of the change in this feed and run. A beacon has the number of the last change before it.
    public var n: UInt64
    /// The revision of a change. In a beacon: the head, up to which everything has been published.
    public var rev: UInt64
    /// Only in a beacon: the oldest revision that the log still has.
    public var floor: UInt64
    /// On a filtered feed `entered` or `left`; nil if the operation is that of the change.
    public var operation: FeedOperation?

    public init(
        epoch: UUIDv7, run: UUIDv7, n: UInt64, rev: UInt64, floor: UInt64 = 0, operation: FeedOperation? = nil
    ) {
        self.epoch = epoch
        self.run = run
        self.n = n
        self.rev = rev
        self.floor = floor
        self.operation = operation
    }

    /// An encoded `FeedHeader`.
    public var encoded: [UInt8] {
        var wire = WireWriter(expecting: 72)
        write(to: &wire)
        return wire.bytes
    }

    func write(to wire: inout WireWriter) {
        wire.id(FeedHeaderField.epoch, epoch)
        wire.id(FeedHeaderField.run, run)
        wire.number(FeedHeaderField.n, n)
        wire.number(FeedHeaderField.rev, rev)
        wire.number(FeedHeaderField.floor, floor)
        if let operation, operation == .entered || operation == .left {
            wire.number(FeedHeaderField.operation, UInt64(WireChange.Operation(operation).rawValue))
        }
    }

    /// Nil if the bytes are not a header.
    public init?(encoded bytes: [UInt8]) {
        guard let header = bytes.withUnsafeBytes({ FeedHeader(encoded: $0) }) else { return nil }
        self = header
    }

    /// Nil if the bytes are not a header.
    public init?(encoded bytes: UnsafeRawBufferPointer) {
        var (epoch, run): (UUIDv7?, UUIDv7?) = (nil, nil)
        var (n, rev, floor, operation): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (FeedHeaderField(rawValue: field), value) {
            case (.epoch, .bytes(let bytes)): epoch = UUIDv7(bytes: bytes)
            case (.run, .bytes(let bytes)): run = UUIDv7(bytes: bytes)
            case (.n, .number(let value)): n = value
            case (.rev, .number(let value)): rev = value
            case (.floor, .number(let value)): floor = value
            case (.operation, .number(let value)): operation = value
            default: break
            }
        }
        guard fields.isWhole, let epoch, let run else { return nil }
        self.init(
            epoch: epoch, run: run, n: n, rev: rev, floor: floor,
            operation: WireChange.Operation(rawValue: Int(clamping: operation)).flatMap { FeedOperation($0) })
    }
}
