// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol

/// The header of a request. It saves the allocations of the generated message, because every request has a header.
public struct RequestHeader: Hashable, Sendable {
    public var key: RequestKey
    /// The time of sending by the client's own clock, in milliseconds; 0 if unknown.
    public var sentMs: UInt64 = 0
    /// How many milliseconds the client waits for the answer; if 0, the service decides.
    public var timeoutMs: UInt32 = 0
    /// The user for whom the client claims to act. Used only if accounts are not required.
    public var user = ""
    /// The account for which a service acts; 0 if there is none. Ignored unless the sender is a service.
    public var account: UInt64 = 0
    /// The IP address from which the request of `account` came to the service.
    public var origin = ""
    private var credentials: [UInt8] = []
    /// The encoded `Position` that the answer must reflect; nil if there is none.
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

    /// Reads an encoded `RequestHeader`, ignoring fields that this version does not know.
    ///
    /// Nil if the bytes are not a `RequestHeader`, or if the header contains no valid key of the request.
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
            // Protobuf allows an embedded message to be split. The joined pieces encode the merged message.
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

    /// Converts the generated message. Nil if the header contains no valid key of the request.
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

    /// The position that the answer must reflect; nil if there is none, or if the position is malformed. It is read
    /// without the generated message, because every request of a client that has written contains one.
    public var wanted: Position? {
        guard let position else { return nil }
        guard let fields = position.withUnsafeBytes({ PositionFields($0) }) else { return try? Position(atLeast) }
        return fields.position
    }

    /// The position that the answer must reflect, as the generated message.
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
