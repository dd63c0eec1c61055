// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol

/// The fields of a `ReplyHeader` in which a service describes its state: all but those of the request's key.
public struct ReplyHeader: Hashable, Sendable {
    /// The position of the service's data: the answer reflects every change up to it. Nil if the service named none.
    public var position: Position?
    /// Milliseconds since a query service last received something from storage.
    public var ageMs: UInt32 = 0
    public var storageAway = false

    public init(position: Position? = nil, ageMs: UInt32 = 0, storageAway: Bool = false) {
        (self.position, self.ageMs, self.storageAway) = (position, ageMs, storageAway)
    }

    /// Converts the generated message.
    public init(_ wire: WireReplyHeader) {
        self.init(
            position: wire.hasPosition ? try? Position(wire.position) : nil, ageMs: wire.ageMs,
            storageAway: wire.storageAway)
    }

    /// Reads an encoded `ReplyHeader`. Nil if the bytes are not a `ReplyHeader`.
    ///
    /// - Returns: `key` is the key of the answered request; nil if the service could not read that request.
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
                // Protobuf allows an embedded message to be split. The generated code merges the pieces, below.
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
            return (RequestKey(client: wire.client, sequence: wire.sequence), ReplyHeader(wire))
        }
        return (hasClient && key.sequence > 0 ? key : nil, header)
    }

    /// Writes the `ReplyHeader` of the answer to `key`, which is nil if the service could not read the request.
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

/// Reads an encoded `Position` without using the generated code.
struct PositionFields {
    /// The position; nil if the epoch or the run is not a UUID.
    let position: Position?

    /// Nil if the generated code has to read the bytes, because their form is unusual.
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
