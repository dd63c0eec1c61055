// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
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

    /// What the generated code has read.
    public init(_ wire: WireReplyHeader) {
        self.init(
            position: wire.hasPosition ? try? Position(wire.position) : nil, ageMs: wire.ageMs,
            storageAway: wire.storageAway)
    }

    /// Reads an encoded `ReplyHeader`. Nil when it is none.
    ///
    /// - Returns: `key`: the request that it answers; nil for one that could not be read.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (key: RequestKey?, header: ReplyHeader)? {
        var header = ReplyHeader()
        var key = RequestKey(client: UUIDv7(high: 0, low: 0), sequence: 0)
        var (hasClient, hasPosition, isOdd) = (false, false, false)
        var fields = WireFields(bytes)
        reading: while let (field, value) = fields.next() {
            switch (ReplyHeaderField(rawValue: field), value) {
            case (.client, .bytes(let bytes)):
                hasClient = bytes.count == 16
                if let client = UUIDv7(bytes: bytes) { key.client = client }
            case (.sequence, .number(let number)): key.sequence = number
            case (.position, .bytes(let bytes)):
                // Two encodings of a message, one behind the other, are the encoding of both merged.
                guard !hasPosition, let position = PositionFields(bytes) else {
                    isOdd = true
                    break reading
                }
                (hasPosition, header.position) = (true, position.position)
            case (.ageMs, .number(let number)): header.ageMs = UInt32(truncatingIfNeeded: number)
            case (.storageAway, .number(let number)): header.storageAway = number != 0
            default: break
            }
        }
        guard !isOdd, fields.isWhole else {
            guard let wire = try? WireReplyHeader(serializedBytes: [UInt8](bytes)) else { return nil }
            return (RequestKey(wire), ReplyHeader(wire))
        }
        return (hasClient && key.sequence > 0 ? key : nil, header)
    }

    /// Writes the `ReplyHeader` of an answer to this request.
    func write(_ key: RequestKey?, into wire: inout WireWriter) {
        if let key {
            wire.id(ReplyHeaderField.client, key.client)
            wire.number(ReplyHeaderField.sequence, key.sequence)
        }
        if let position { wire.position(ReplyHeaderField.position, position) }
        wire.number(ReplyHeaderField.ageMs, UInt64(ageMs))
        wire.flag(ReplyHeaderField.storageAway, storageAway)
    }
}

/// The plain fields of an encoded `Position`.
struct PositionFields {
    /// Nil where the epoch or the run is not one.
    let position: Position?

    /// Nil for what the generated code has to read.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var (epoch, run): (UUIDv7?, UUIDv7?) = (nil, nil)
        var (rev, isOdd) = (UInt64(0), false)
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (PositionField(rawValue: field), value) {
            case (.epoch, .bytes(let bytes)): epoch = UUIDv7(bytes: bytes)
            case (.rev, .number(let number)): rev = number
            case (.run, .bytes(let bytes)):
                run = UUIDv7(bytes: bytes)
                isOdd = run == nil && !bytes.isEmpty
            default: break
            }
        }
        guard fields.isWhole else { return nil }
        position = isOdd ? nil : epoch.map { Position(epoch: $0, rev: rev, run: run) }
    }
}
