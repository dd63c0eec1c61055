// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

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
