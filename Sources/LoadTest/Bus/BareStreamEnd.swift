// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// The sender or a receiver of a one-way test, with plain calls of libzmq.
final class BareStreamEnd: StreamSender, StreamIntake {
    /// Keeps the context open until the socket is closed.
    private let context: BareContext
    private let socket: UnsafeMutableRawPointer?
    private var buffer: [UInt8]
    private let tag: UInt64

    /// - Parameters:
    ///   - kind: libzmq's number for the socket type, such as `ZMQ_PUSH`.
    ///   - most: the size of the largest message in bytes.
    ///   - tag: the tag of the run. A message with a different tag belongs to a different run.
    init(_ kind: Int32, in context: BareContext, highWaterMark: Int, most: Int, tag: UInt64) {
        self.context = context
        self.tag = tag
        socket = zmq_socket(context.pointer, kind)
        buffer = [UInt8](repeating: 0, count: max(most, Payload.fewestTagged))
        // A receiver has nothing to send except the end of its subscription, and the publisher may be gone: do not
        // wait.
        let isReceiver = kind == ZMQ_SUB || kind == ZMQ_PULL
        BareSocket.set(socket, isReceiver ? 0 : 10_000, ZMQ_LINGER)
        // The backlog must hold all receivers, because they connect at the same time.
        BareSocket.set(socket, 1_024, ZMQ_BACKLOG)
        BareSocket.set(socket, Int32(clamping: highWaterMark), ZMQ_SNDHWM, ZMQ_RCVHWM)
        if kind == ZMQ_SUB { zmq_setsockopt(socket, ZMQ_SUBSCRIBE, nil, 0) }
    }

    deinit { zmq_close(socket) }

    func bind() throws(ZeroMQError) -> String { try BareSocket.bind(socket) }

    func connect(_ endpoint: String) throws(ZeroMQError) { try BareSocket.connect(socket, endpoint) }

    func send(_ payload: [UInt8]) throws(ZeroMQError) -> Bool {
        zmq_send(socket, payload, payload.count, ZMQ_DONTWAIT) >= 0
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(bare: socket) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        let bytes = Int(zmq_recv(socket, &buffer, buffer.count, ZMQ_DONTWAIT))
        guard bytes >= 0 else { return nil }
        let told = buffer.withUnsafeBytes { Payload.read(.init(rebasing: $0.prefix(bytes)), tag: tag) }
        return StreamArrival(number: told?.number, intended: told?.time ?? 0, bytes: bytes)
    }
}
