// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// A request that arrived complete and in time.
public struct IncomingRequest: Sendable {
    public let address: ReplyAddress
    public var header: RequestHeader
    /// The encoded `Request` as it arrived: digests are computed from these bytes, and these bytes are forwarded.
    public let body: [UInt8]
    /// Milliseconds until the client stops waiting for the answer.
    public let remaining: UInt64
    /// The public key that the sender has proved to have; nil where the socket asks for none.
    public let key: CurveKey?

    /// The same request after it has waited here: its times count from now on, and say nothing of the wait.
    func goingOn() -> IncomingRequest {
        let now = Monotonic.nanoseconds
        let waited = (now - min(now, address.received)) / 1_000_000
        var here = address
        here.received = now
        return IncomingRequest(
            address: here, header: header, body: body, remaining: remaining - min(remaining, waited), key: key)
    }
}

/// Where the answer to a request goes.
public struct ReplyAddress: Hashable, Sendable {
    /// The routing id of the connection by which the request arrived.
    public let connection: [UInt8]
    public let key: RequestKey
    public let kind: RequestKind
    /// Monotonic nanoseconds at which the request was received from the socket.
    public internal(set) var received: UInt64
    /// The protocol version of the request. The answer is sent in the same version.
    public let version: UInt8
}
