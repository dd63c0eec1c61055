// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// The sender or a receiver of a one-way test, with plain calls of libzmq.
final class BareStreamEnd: StreamSender, StreamIntake {
    private let socket: BareSocket
    private var buffer: [UInt8]
    private let tag: UInt64

    /// - Parameters:
    ///   - most: the size of the largest message in bytes.
    ///   - tag: the tag of the run. A message with a different tag belongs to a different run.
    init(_ socket: BareSocket, most: Int, tag: UInt64) {
        (self.socket, self.tag) = (socket, tag)
        buffer = [UInt8](repeating: 0, count: max(most, Payload.fewestTagged))
    }

    func send(_ payload: [UInt8]) throws(ZeroMQError) -> Int? {
        zmq_send(socket.pointer, payload, payload.count, ZMQ_DONTWAIT) >= 0 ? payload.count : nil
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(bare: socket.pointer) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        let bytes = Int(zmq_recv(socket.pointer, &buffer, buffer.count, ZMQ_DONTWAIT))
        guard bytes >= 0 else { return nil }
        let told = buffer.withUnsafeBytes { Payload.read(.init(rebasing: $0.prefix(bytes)), tag: tag) }
        return StreamArrival(number: told?.number, intended: told?.time ?? 0, bytes: bytes)
    }
}
