// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Sends requests to a REP or ROUTER socket like a REQ socket, but does not wait for an answer before the next request.
///
/// Any answer counts. A frame with the request's number precedes the empty frame, as a REQ socket with
/// `ZMQ_REQ_CORRELATE` sends it: "a REQ socket … will prefix outgoing messages with a request ID" (zmq_setsockopt(3)).
/// A REP socket returns this frame with the envelope (ZeroMQ RFC 28), so that a late answer is not mistaken for the
/// answer to another request. An echo server returns the number in the bytes of the request, and needs no such frame.
public final class BusRequestPort: RequestPort {
    /// The frames before a request, and the way to recognise its answer.
    public enum Envelope: Hashable, Sendable {
        /// The request's number and an empty frame. The answer has the same two frames before anything else.
        case numbered
        /// An empty frame, also in the answer, whose last frame begins with the first 16 bytes of its request.
        case echo
        /// None. The answer's last frame begins with the first 16 bytes of its request.
        case dealer
    }

    private let socket: Socket
    private let envelope: Envelope
    // The parts of a request are one value, and an answer is read by a function of it, so that Swift checks the
    // exclusivity once for each message.
    private var outgoing: Outgoing
    private var incoming = Message()

    /// - Parameter seed: the seed of the sizes.
    public init(
        _ context: Context, endpoint: String, options: SocketOptions = .client, message: BusMessage,
        envelope: Envelope, seed: UInt64 = 1
    ) throws(ZeroMQError) {
        self.envelope = envelope
        outgoing = Outgoing(writer: MessageWriter(message, seed: seed))
        var options = options
        // At most 64 MiB wait while the peer does not read. Requests that the socket does not accept are sent later, and
        // counted as late.
        options.sendHighWaterMark = max(16, min(10_000, (64 << 20) / max(1, message.usualBytes)))
        socket = try Socket(.dealer, context: context, options: options)
        try socket.connect(endpoint)
    }

    public func join(_ poller: inout Poller) { poller.add(socket) }

    public func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        outgoing.write(number, intended, envelope)
        return try socket.send(&outgoing.message) == .sent
    }

    /// An answer that cannot be recognised has the number 0.
    public func receive() throws(ZeroMQError) -> RequestAnswer? {
        guard try socket.receive(into: &incoming) else { return nil }
        return Self.read(incoming, envelope)
    }

    private static func read(_ incoming: borrowing Message, _ envelope: Envelope) -> RequestAnswer {
        let (bytes, last) = (incoming.totalByteCount, incoming.count - 1)
        if envelope == .numbered {
            guard last >= 2, incoming.byteCount(at: 0) == 8, incoming.byteCount(at: 1) == 0 else {
                return RequestAnswer(number: 0, bytes: bytes)
            }
            let number = incoming.withUnsafeBytes(at: 0) { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
            return RequestAnswer(number: number, bytes: bytes - 8)
        }
        guard (last >= 1 && incoming.byteCount(at: 0) == 0) || envelope == .dealer,
            let told = incoming.withUnsafeBytes(at: last, { Payload.read($0) })
        else { return RequestAnswer(number: 0, bytes: bytes) }
        return RequestAnswer(number: told.number, bytes: bytes)
    }

    private struct Outgoing: ~Copyable {
        var writer: MessageWriter
        var message = Message()

        mutating func write(_ number: UInt64, _ intended: UInt64, _ envelope: Envelope) {
            message.removeAll()
            if envelope == .numbered { withUnsafeBytes(of: number.littleEndian) { message.append(copying: $0) } }
            // Append the empty frame that a REQ socket sends before its request (ZeroMQ RFC 28).
            if envelope != .dealer { message.append([]) }
            _ = writer.append(number, intended, to: &message)
        }
    }
}
