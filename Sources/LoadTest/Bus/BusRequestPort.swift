// SPDX-License-Identifier: Apache-2.0

import DequeModule
public import ZeroMQ

/// Asks any REP or ROUTER socket, as a REQ socket would, but without waiting for the answer before the next request.
///
/// Whatever the other end answers counts: a REP socket answers each connection in order. Where an answer begins with the
/// number of a request (an echo), it has to be the right one.
public final class BusRequestPort: RequestPort {
    private let socket: Socket
    private var payload: [UInt8]
    private var incoming = Message()
    private var outgoing = Message()
    private var waiting: Deque<UInt64> = []
    /// Whether the other end has been seen to echo.
    private let isEcho: Bool

    /// - Parameters:
    ///   - size: bytes of a request.
    ///   - isEcho: the answer begins with the first 16 bytes of the request, and may come in any order.
    public init(_ context: Context, endpoint: String, size: Int, isEcho: Bool) throws(ZeroMQError) {
        payload = Payload.make(size)
        self.isEcho = isEcho
        var options = SocketOptions.client
        options.sendHighWaterMark = 0
        socket = try Socket(.dealer, context: context, options: options)
        try socket.connect(endpoint)
    }

    public func join(_ poller: inout Poller) { poller.add(socket) }

    public func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        Payload.write(number, NanoClock.now, into: &payload)
        outgoing.removeAll()
        // The empty frame that a REQ socket puts before its request (ZeroMQ RFC 28).
        outgoing.append([])
        payload.withUnsafeBytes { outgoing.append(copying: $0) }
        guard try socket.send(&outgoing) == .sent else { return false }
        if !isEcho { waiting.append(number) }
        return true
    }

    public func receive() throws(ZeroMQError) -> RequestAnswer? {
        while try socket.receive(into: &incoming) {
            guard incoming.count >= 2, incoming.byteCount(at: 0) == 0 else { continue }
            let bytes = incoming.totalByteCount
            if isEcho {
                guard let told = incoming.withUnsafeBytes(at: 1, { Payload.read($0) }) else { continue }
                return RequestAnswer(number: told.number, bytes: bytes)
            }
            guard let number = waiting.popFirst() else { continue }
            return RequestAnswer(number: number, bytes: bytes)
        }
        return nil
    }
}
