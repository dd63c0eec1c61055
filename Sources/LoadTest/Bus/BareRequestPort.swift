// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
public import ZeroMQ

/// A ``BusRequestPort`` with plain calls of libzmq, so that the same generator measures the capacity of the bus itself.
public final class BareRequestPort: RequestPort {
    private let socket: BareSocket
    private var payload: [UInt8]
    private var buffer: [UInt8]

    /// - Parameters:
    ///   - most: the size of the largest answer in bytes.
    ///   - server: the public key of the server, which must then encrypt; nil for no encryption.
    public init(
        _ context: BareContext, endpoint: String, size: Int, most: Int, server: CurveKey? = nil
    ) throws(ZeroMQError) {
        payload = Payload.make(size)
        buffer = [UInt8](repeating: 0, count: max(most, Payload.fewest))
        socket = BareSocket(ZMQ_DEALER, in: context)
        if let server { socket.trust(server, own: try .generate()) }
        try socket.connect(endpoint)
    }

    public func join(_ poller: inout Poller) { poller.add(bare: socket.pointer) }

    public func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        Payload.write(number, NanoClock.now, into: &payload)
        guard zmq_send(socket.pointer, nil, 0, ZMQ_DONTWAIT | ZMQ_SNDMORE) >= 0 else { return false }
        return zmq_send(socket.pointer, &payload, payload.count, ZMQ_DONTWAIT) >= 0
    }

    public func receive() throws(ZeroMQError) -> RequestAnswer? {
        guard zmq_recv(socket.pointer, &buffer, 0, ZMQ_DONTWAIT) >= 0 else { return nil }
        let bytes = Int(zmq_recv(socket.pointer, &buffer, buffer.count, ZMQ_DONTWAIT))
        guard bytes >= Payload.fewest, let told = buffer.withUnsafeBytes({ Payload.read($0) }) else { return nil }
        return RequestAnswer(number: told.number, bytes: bytes)
    }
}
