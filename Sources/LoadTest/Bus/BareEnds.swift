// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
public import ZeroMQ

/// A ``BusRequestPort`` with plain calls of libzmq, so that the same generator measures the capacity of the bus itself.
public final class BareRequestPort: RequestPort {
    private let socket: Socket
    private let handle: UnsafeMutableRawPointer
    private var payload: [UInt8]
    private var buffer: [UInt8]

    /// - Parameters:
    ///   - most: the size of the largest answer in bytes.
    ///   - server: the public key of the server, which must then encrypt; nil for no encryption.
    public init(
        _ context: Context, endpoint: String, size: Int, most: Int, server: CurveKey? = nil
    ) throws(ZeroMQError) {
        payload = Payload.make(size)
        buffer = [UInt8](repeating: 0, count: max(most, Payload.fewest))
        var options = SocketOptions()
        (options.sendHighWaterMark, options.receiveHighWaterMark) = (0, 0)
        if let server { options.security = .curveClient(serverKey: server, keys: try .generate()) }
        let socket = try Socket(.dealer, context: context, options: options)
        try socket.connect(endpoint)
        handle = socket.handle
        self.socket = consume socket
    }

    public func join(_ poller: inout Poller) { poller.add(socket) }

    public func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        Payload.write(number, intended, into: &payload)
        guard zmq_send(handle, nil, 0, ZMQ_DONTWAIT | ZMQ_SNDMORE) >= 0 else { return false }
        return zmq_send(handle, &payload, payload.count, ZMQ_DONTWAIT) >= 0
    }

    public func receive() throws(ZeroMQError) -> RequestAnswer? {
        guard zmq_recv(handle, &buffer, 0, ZMQ_DONTWAIT) >= 0 else { return nil }
        let bytes = Int(zmq_recv(handle, &buffer, buffer.count, ZMQ_DONTWAIT))
        guard bytes >= Payload.fewest, let told = buffer.withUnsafeBytes({ Payload.read($0) }) else { return nil }
        return RequestAnswer(number: told.number, bytes: bytes)
    }
}

/// The sender or a receiver of a one-way test, with plain calls of libzmq.
final class BareStreamEnd: StreamSender, StreamIntake {
    private let socket: Socket
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

/// A ROUTER socket that echoes messages, written with plain calls of libzmq on a thread of its own. Tests use it to
/// measure the bare bus, that is, libzmq without a service.
public final class BareEchoServer: Sendable {
    public let endpoint: String
    private let context: Context

    /// - Parameters:
    ///   - requestBytes: the size of the largest request in bytes.
    ///   - answerBytes: the size of an answer in bytes; nil if an answer is as large as its request.
    ///   - keys: the keys for CURVE encryption, which admits everybody who knows the public key; nil for no encryption.
    public init(requestBytes: Int, answerBytes: Int? = nil, keys: CurveKeyPair? = nil) async throws {
        let context = try Context()
        self.context = context
        endpoint = try await withCheckedThrowingContinuation { continuation in
            let hasThread = startDetachedThread("waymark-echo") {
                do {
                    var options = SocketOptions()
                    // The backlog must hold all clients, because they connect at the same time.
                    (options.backlog, options.sendHighWaterMark, options.receiveHighWaterMark) = (1_024, 0, 0)
                    let socket = try Socket(.router, context: context, options: options)
                    if let keys { BareEchoServer.encrypt(socket.handle, keys.secretKey.bytes) }
                    continuation.resume(returning: try socket.bind("tcp://127.0.0.1:*"))
                    BareEchoServer.echo(socket, requestBytes, answerBytes)
                } catch { continuation.resume(throwing: error) }
            }
            if !hasThread { continuation.resume(throwing: ZeroMQError.last("pthread_create")) }
        }
    }

    deinit { stop() }

    public func stop() { context.shutdown() }

    private static func encrypt(_ socket: UnsafeMutableRawPointer, _ key: [UInt8]) {
        var isServer: Int32 = 1
        zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &isServer, MemoryLayout<Int32>.size)
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, key, key.count)
    }

    private static func echo(_ server: borrowing Socket, _ requestBytes: Int, _ answerBytes: Int?) {
        let socket = server.handle
        var identity = [UInt8](repeating: 0, count: 256)
        var request = Payload.make(max(requestBytes, answerBytes ?? 0))
        while true {
            let named = zmq_recv(socket, &identity, identity.count, 0)
            guard named >= 0, zmq_recv(socket, nil, 0, 0) >= 0 else { return }
            let asked = zmq_recv(socket, &request, request.count, 0)
            guard asked >= 0 else { return }
            let count = answerBytes ?? min(Int(asked), request.count)
            zmq_send(socket, identity, Int(named), ZMQ_SNDMORE)
            zmq_send(socket, nil, 0, ZMQ_SNDMORE)
            zmq_send(socket, request, count, 0)
        }
    }
}
