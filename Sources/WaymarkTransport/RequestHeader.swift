// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol

/// A request's header, as plain fields: there is one for each request, so none of it is an object that need not be.
public struct RequestHeader: Hashable, Sendable {
    public var key: RequestKey
    /// The client's own clock in milliseconds; 0: not told.
    public var sentMs: UInt64 = 0
    /// 0: the service's own limit.
    public var timeoutMs: UInt32 = 0
    /// Who asks: claimed, not proven.
    public var user = ""
    private var credentials: [UInt8] = []
    /// An encoded `Position`.
    private var position: [UInt8]?

    /// - Parameter atLeast: the answer has to hold everything through this.
    public init(key: RequestKey, user: String = "", atLeast: Position? = nil) {
        (self.key, self.user) = (key, user)
        if let atLeast {
            var encoded = WireWriter(expecting: 47)
            encoded.put(atLeast)
            position = encoded.bytes
        }
    }

    /// Reads an encoded `RequestHeader`; what this version does not know of it is left out.
    ///
    /// Nil when it is none, or does not name its request.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var client: UUIDv7?
        self.init(key: RequestKey(client: UUIDv7(high: 0, low: 0), sequence: 0))
        var fields = WireFields(bytes)
        while let (field, value) = fields.next() {
            switch (RequestHeaderField(rawValue: field), value) {
            case (.client, .bytes(let bytes)): client = UUIDv7(bytes: bytes)
            case (.sequence, .number(let number)): key.sequence = number
            case (.sentMs, .number(let number)): sentMs = number
            case (.timeoutMs, .number(let number)): timeoutMs = UInt32(truncatingIfNeeded: number)
            case (.user, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return nil }
                user = text
            // Two encodings of a message, one behind the other, are the encoding of both merged.
            case (.atLeast, .bytes(let bytes)): position = (position ?? []) + bytes
            case (.credentials, .bytes(let bytes)): credentials = [UInt8](bytes)
            default: break
            }
        }
        guard fields.isWhole else {
            guard let wire = try? WireRequestHeader(serializedBytes: [UInt8](bytes)) else { return nil }
            self.init(wire)
            return
        }
        guard let client, key.sequence > 0 else { return nil }
        key.client = client
        if let position, (try? WirePosition(serializedBytes: position)) == nil { return nil }
    }

    /// Nil when it does not name its request.
    public init?(_ wire: WireRequestHeader) {
        guard let key = RequestKey(wire) else { return nil }
        self.init(key: key)
        (sentMs, timeoutMs, user) = (wire.sentMs, wire.timeoutMs, wire.user)
        credentials = [UInt8](wire.credentials)
        if wire.hasAtLeast { position = wire.atLeast.encoded }
    }

    /// Whether the answer has to hold everything through a position.
    public var hasAtLeast: Bool { position != nil }

    /// That position, without making objects of it: each request of a client that has written asks for one. Nil when it
    /// asks for none, or for none that there can be.
    public var wanted: Position? {
        guard let position else { return nil }
        guard let fields = position.withUnsafeBytes({ PositionFields($0) }) else { return try? Position(atLeast) }
        return fields.position
    }

    /// That position.
    public var atLeast: WirePosition { (try? WirePosition(serializedBytes: position ?? [])) ?? WirePosition() }

    /// Writes it as it is sent now.
    ///
    /// - Parameters:
    ///   - sent: the sender's clock in milliseconds.
    ///   - timeout: milliseconds that are left for the answer.
    func write(sent: UInt64, timeout: UInt32, into wire: inout WireWriter) {
        wire.id(RequestHeaderField.client, key.client)
        wire.number(RequestHeaderField.sequence, key.sequence)
        wire.number(RequestHeaderField.sentMs, sent)
        wire.number(RequestHeaderField.timeoutMs, UInt64(timeout))
        wire.text(RequestHeaderField.user, user)
        if let position { wire.message(RequestHeaderField.atLeast, position) }
        if !credentials.isEmpty { wire.message(RequestHeaderField.credentials, credentials) }
    }
}
