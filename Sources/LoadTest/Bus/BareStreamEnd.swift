// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// The sender or a receiver of a one-way test, with plain calls of libzmq.
final class BareStreamEnd: StreamSender, StreamIntake {
    private let socket: Socket
    /// libzmq's pointer to the socket.
    private let handle: UnsafeMutableRawPointer
    private var buffer: [UInt8]
    private let tag: UInt64

    /// - Parameter most: the size of the largest message in bytes.
    init(_ socket: consuming Socket, most: Int, tag: UInt64) {
        handle = socket.handle
        self.socket = socket
        self.tag = tag
        buffer = Payload.make(max(most, Payload.fewestTagged))
    }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Int? {
        Payload.write(number, intended, tag: tag, into: &buffer)
        let bytes = number > 0 ? buffer.count : Payload.fewestTagged
        return zmq_send(handle, buffer, bytes, ZMQ_DONTWAIT) >= 0 ? bytes : nil
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(socket) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        let bytes = Int(zmq_recv(handle, &buffer, buffer.count, ZMQ_DONTWAIT))
        guard bytes >= 0 else { return nil }
        let told = buffer.withUnsafeBytes { Payload.read(.init(rebasing: $0.prefix(bytes)), tag: tag) }
        return StreamArrival(number: told?.number, intended: told?.time ?? 0, bytes: bytes)
    }
}
