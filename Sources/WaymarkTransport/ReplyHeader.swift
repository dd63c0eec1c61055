// SPDX-License-Identifier: Apache-2.0

public import Landmarks
public import WaymarkProtocol

/// What a service says of itself with each answer: a `ReplyHeader` but for the request's name.
public struct ReplyHeader: Hashable, Sendable {
    /// The answer holds everything through this.
    public var position: Position?
    /// Milliseconds since a replica last heard from storage.
    public var ageMs: UInt32 = 0
    public var storageAway = false

    public init(position: Position? = nil, ageMs: UInt32 = 0, storageAway: Bool = false) {
        (self.position, self.ageMs, self.storageAway) = (position, ageMs, storageAway)
    }

    /// One of storage's that is passed on.
    public init(_ wire: WireReplyHeader) {
        self.init(
            position: wire.hasPosition ? try? Position(wire.position) : nil, ageMs: wire.ageMs,
            storageAway: wire.storageAway)
    }

    /// Appends the encoded `ReplyHeader` of an answer to this request.
    func write(_ key: RequestKey?, into bytes: inout [UInt8]) {
        if let key {
            Self.append(1, key.client, to: &bytes)
            Self.append(2, key.sequence, to: &bytes)
        }
        if let position {
            let rev = position.rev > 0 ? 1 + Self.size(position.rev) : 0
            // Field 3, LEN. Its length is one byte: two ids of 18 and a number of at most 11.
            bytes.append(3 << 3 | 2)
            bytes.append(UInt8(18 + rev + (position.run == nil ? 0 : 18)))
            Self.append(1, position.epoch, to: &bytes)
            Self.append(2, position.rev, to: &bytes)
            if let run = position.run { Self.append(3, run, to: &bytes) }
        }
        Self.append(4, UInt64(ageMs), to: &bytes)
        Self.append(5, storageAway ? 1 : 0, to: &bytes)
    }

    private static func append(_ field: UInt8, _ id: UUIDv7, to bytes: inout [UInt8]) {
        bytes.append(field << 3 | 2)
        bytes.append(16)
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ field: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
        guard number > 0 else { return }
        bytes.append(field << 3)
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func size(_ number: UInt64) -> Int { max(1, (64 - number.leadingZeroBitCount + 6) / 7) }
}
