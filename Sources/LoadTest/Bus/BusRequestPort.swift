// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends requests to a REP or ROUTER socket like a REQ socket, but does not wait for an answer before the next request.
///
/// Any answer counts. A frame with the request's number precedes the empty frame, as a REQ socket with
/// `ZMQ_REQ_CORRELATE` sends it: "a REQ socket … will prefix outgoing messages with a request ID" (zmq_setsockopt(3)).
/// A REP socket returns this frame with the envelope (ZeroMQ RFC 28), so that a late answer is not mistaken for the
/// answer to another request. An echo server returns the number in the bytes of the request, and needs no such frame.
public final class BusRequestPort: RequestPort {
    private let socket: Socket
    private var payload: [UInt8]
    private var incoming = Message()
    private var outgoing = Message()
    /// Whether the peer echoes requests.
    private let isEcho: Bool

    /// - Parameters:
    ///   - size: the size of a request in bytes.
    ///   - isEcho: whether an answer begins with the first 16 bytes of its request. Answers may then come in any order.
    ///   - ipv6: whether the endpoint is reached by IPv6: see `EndpointFamily`.
    public init(
        _ context: Context, endpoint: String, size: Int, isEcho: Bool, ipv6: Bool = false
    ) throws(ZeroMQError) {
        payload = Payload.make(size)
        self.isEcho = isEcho
        var options = SocketOptions.client
        options.sendHighWaterMark = Self.highWaterMark(size)
        options.ipv6 = ipv6
        socket = try Socket(.dealer, context: context, options: options)
        try socket.connect(endpoint)
    }

    /// Returns the high-water mark for sending, which limits the memory used while the peer does not read. Requests
    /// that the socket does not accept are sent later, and counted as late.
    static func highWaterMark(_ size: Int) -> Int { max(16, min(10_000, mostWaiting / max(1, size))) }

    private static let mostWaiting = 64 << 20

    public func join(_ poller: inout Poller) { poller.add(socket) }

    public func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        Payload.write(number, NanoClock.now, into: &payload)
        outgoing.removeAll()
        if !isEcho { payload.withUnsafeBytes { outgoing.append(copying: .init(rebasing: $0.prefix(8))) } }
        // Append the empty frame that a REQ socket sends before its request (ZeroMQ RFC 28).
        outgoing.append([])
        payload.withUnsafeBytes { outgoing.append(copying: $0) }
        return try socket.send(&outgoing) == .sent
    }

    public func receive() throws(ZeroMQError) -> RequestAnswer? {
        while try socket.receive(into: &incoming) {
            let bytes = incoming.totalByteCount
            if isEcho {
                guard incoming.count >= 2, incoming.byteCount(at: 0) == 0,
                    let told = incoming.withUnsafeBytes(at: 1, { Payload.read($0) })
                else { continue }
                return RequestAnswer(number: told.number, bytes: bytes)
            }
            guard incoming.count >= 3, incoming.byteCount(at: 0) == 8, incoming.byteCount(at: 1) == 0 else { continue }
            let number = incoming.withUnsafeBytes(at: 0) { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
            return RequestAnswer(number: number, bytes: bytes - 8)
        }
        return nil
    }
}
