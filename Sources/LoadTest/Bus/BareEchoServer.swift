// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// A ROUTER socket that echoes messages, written with plain calls of libzmq on a thread of its own. Tests use it to
/// measure the bare bus, that is, libzmq without a service.
public final class BareEchoServer: Sendable {
    public let endpoint: String
    private let context = BareContext(sockets: 1)

    /// - Parameters:
    ///   - requestBytes: the size of the largest request in bytes.
    ///   - answerBytes: the size of an answer in bytes; nil if an answer is as large as its request.
    ///   - keys: the keys for CURVE encryption, which admits everybody who knows the public key; nil for no encryption.
    public init(requestBytes: Int, answerBytes: Int? = nil, keys: CurveKeyPair? = nil) throws(ZeroMQError) {
        // The socket is made here, and used from now on only by the other thread. libzmq allows that after a full
        // fence, which starting a thread is.
        nonisolated(unsafe) let socket = BareSocket(ZMQ_ROUTER, in: context)
        if let keys { socket.serve(keys) }
        endpoint = try socket.bind()
        startDetachedThread("waymark-echo") { Self.echo(socket, requestBytes, answerBytes) }
    }

    deinit { stop() }

    /// Asks the thread to end.
    public func stop() { zmq_ctx_shutdown(context.pointer) }

    private static func echo(_ socket: BareSocket, _ requestBytes: Int, _ answerBytes: Int?) {
        var identity = [UInt8](repeating: 0, count: 256)
        var request = Payload.make(max(requestBytes, answerBytes ?? 0))
        while true {
            let named = zmq_recv(socket.pointer, &identity, identity.count, 0)
            guard named >= 0, zmq_recv(socket.pointer, nil, 0, 0) >= 0 else { return }
            let asked = zmq_recv(socket.pointer, &request, request.count, 0)
            guard asked >= 0 else { return }
            let count = answerBytes ?? min(Int(asked), request.count)
            zmq_send(socket.pointer, identity, Int(named), ZMQ_SNDMORE)
            zmq_send(socket.pointer, nil, 0, ZMQ_SNDMORE)
            zmq_send(socket.pointer, request, count, 0)
        }
    }
}
