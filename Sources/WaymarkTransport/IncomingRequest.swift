// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// A request that arrived complete and before its deadline.
public struct IncomingRequest: Sendable {
    public let address: ReplyAddress
    public var header: RequestHeader
    /// The encoded `Request` as it arrived. Digests are computed over these bytes, and these bytes are forwarded.
    public let body: [UInt8]
    /// The number of milliseconds until the client stops waiting for the answer.
    public let remaining: UInt64
    /// The public key that the sender has proved to own; nil if the socket requires no keys, or
    /// the sender is in this process.
    public let key: CurveKey?

    /// Returns the same request after a wait in this service, with the time of the wait subtracted from ``remaining``.
    func goingOn() -> IncomingRequest {
        let now = Monotonic.nanoseconds
        let waited = (now - min(now, address.received)) / 1_000_000
        var here = address
        here.received = now
        return IncomingRequest(
            address: here, header: header, body: body, remaining: remaining - min(remaining, waited), key: key)
    }
}

/// The destination of the answer to a request.
public struct ReplyAddress: Hashable, Sendable {
    /// The routing id of the connection that delivered the request; empty for a request of the same process. A ROUTER
    /// socket gives every connection an id that is not empty, even if its peer announces an empty one.
    public let connection: [UInt8]
    public let key: RequestKey
    public let kind: RequestKind
    /// The time at which the request was received from the socket, in monotonic nanoseconds.
    public internal(set) var received: UInt64
    /// The protocol version of the request. The answer is sent in the same version.
    public let version: UInt8

    /// Whether the request came from the same process, without a socket.
    public var isLocal: Bool { connection.isEmpty }
}
