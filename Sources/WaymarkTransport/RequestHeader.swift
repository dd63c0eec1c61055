// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol

/// The header of a request. It avoids the generated message and its allocations, because every request has one.
public struct RequestHeader: Hashable, Sendable {
    public var key: RequestKey
    /// The time of sending by the client's own clock, in milliseconds; 0 if the client did not say.
    public var sentMs: UInt64 = 0
    /// How long the client waits for the answer; 0 leaves that to the service.
    public var timeoutMs: UInt32 = 0
    /// The user that the client claims to act for. Used only if accounts are not required.
    public var user = ""
    /// The account that a service acts for; 0 for none. Ignored unless the sender is a service.
    public var account: UInt64 = 0
    /// The IP address from which that account's request came to the service.
    public var origin = ""
    private var credentials: [UInt8] = []
    /// An encoded `Position`.
    private var position: [UInt8]?

    /// - Parameter atLeast: the position that the answer must reflect.
    public init(key: RequestKey, user: String = "", atLeast: Position? = nil) {
        (self.key, self.user) = (key, user)
        if let atLeast { ask(atLeast: atLeast) }
    }

    /// Sets the position that the answer must reflect.
    public mutating func ask(atLeast: Position) {
        var encoded = WireWriter(expecting: 47)
        encoded.put(atLeast)
        position = encoded.bytes
    }

    /// Reads an encoded `RequestHeader` without the fields that this version does not know.
    ///
    /// Nil if the bytes are not one, or do not name the request.
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
            // Protobuf allows a message in several pieces. Joined, they are the encoding of the merged message.
            case (.atLeast, .bytes(let bytes)): position = (position ?? []) + bytes
            case (.credentials, .bytes(let bytes)): credentials = [UInt8](bytes)
            case (.account, .number(let number)): account = number
            case (.origin, .bytes(let bytes)):
                guard let text = WireText.string(bytes) else { return nil }
                origin = text
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

    /// Nil if the header does not name the request.
    public init?(_ wire: WireRequestHeader) {
        guard let key = RequestKey(client: wire.client, sequence: wire.sequence) else { return nil }
        self.init(key: key)
        (sentMs, timeoutMs, user) = (wire.sentMs, wire.timeoutMs, wire.user)
        credentials = [UInt8](wire.credentials)
        (account, origin) = (wire.account, wire.origin)
        if wire.hasAtLeast { position = wire.atLeast.encoded }
    }

    /// Whether the answer must reflect a certain position.
    public var hasAtLeast: Bool { position != nil }

    /// The position that the answer must reflect; nil if there is none, or if it is malformed. Read without the
    /// generated message, because each request of a client that has written names one.
    public var wanted: Position? {
        guard let position else { return nil }
        guard let fields = position.withUnsafeBytes({ PositionFields($0) }) else { return try? Position(atLeast) }
        return fields.position
    }

    /// The position that the answer must reflect, as a message.
    public var atLeast: WirePosition { (try? WirePosition(serializedBytes: position ?? [])) ?? WirePosition() }

    /// Writes the header of one copy of the request.
    ///
    /// - Parameters:
    ///   - sent: the time of sending by this process's clock, in milliseconds.
    ///   - timeout: how many milliseconds are left for the answer.
    func write(sent: UInt64, timeout: UInt32, into wire: inout WireWriter) {
        wire.id(RequestHeaderField.client, key.client)
        wire.number(RequestHeaderField.sequence, key.sequence)
        wire.number(RequestHeaderField.sentMs, sent)
        wire.number(RequestHeaderField.timeoutMs, UInt64(timeout))
        wire.text(RequestHeaderField.user, user)
        if let position { wire.message(RequestHeaderField.atLeast, position) }
        if !credentials.isEmpty { wire.message(RequestHeaderField.credentials, credentials) }
        wire.number(RequestHeaderField.account, account)
        wire.text(RequestHeaderField.origin, origin)
    }
}
