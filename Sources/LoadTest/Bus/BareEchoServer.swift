// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import Dispatch
import Synchronization
import ZeroMQ

/// A ROUTER socket that echoes messages, written with plain calls of libzmq on a thread of its own. Tests use it to
/// measure the bare bus, that is, libzmq without a service.
public final class BareEchoServer: Sendable {
    public let endpoint: String
    private let context: Handle
    private let ended = DispatchSemaphore(value: 0)

    /// A context or a socket of libzmq. `@unchecked Sendable`: any thread may use a context. A socket is handed to one
    /// thread before its first use on that thread.
    private struct Handle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer? }

    /// - Parameters:
    ///   - requestBytes: the size of the largest request in bytes.
    ///   - answerBytes: the size of an answer in bytes; nil if an answer is as large as its request.
    ///   - keys: the keys for CURVE encryption, which admits everybody who knows the public key; nil for no encryption.
    public init(requestBytes: Int, answerBytes: Int? = nil, keys: CurveKeyPair? = nil) throws(ZeroMQError) {
        let context = Handle(pointer: zmq_ctx_new())
        self.context = context
        let socket = zmq_socket(context.pointer, ZMQ_ROUTER)
        BareSocket.set(socket, 0, ZMQ_LINGER, ZMQ_SNDHWM, ZMQ_RCVHWM)
        if let keys { BareSocket.serve(socket, keys) }
        endpoint = try BareSocket.bind(socket)
        // The socket is made here, and used from now on only by the other thread. libzmq allows that after a full
        // fence, which starting a thread is.
        let owned = Handle(pointer: socket)
        let ended = ended
        startDetachedThread("waymark-echo") {
            Self.echo(owned.pointer, requestBytes, answerBytes)
            zmq_close(owned.pointer)
            ended.signal()
        }
    }

    /// Ends the thread.
    public func stop() {
        zmq_ctx_shutdown(context.pointer)
        ended.wait()
        zmq_ctx_term(context.pointer)
    }

    private static func echo(_ socket: UnsafeMutableRawPointer?, _ requestBytes: Int, _ answerBytes: Int?) {
        var identity = [UInt8](repeating: 0, count: 256)
        var request = Payload.make(max(requestBytes, answerBytes ?? 0))
        while true {
            let named = zmq_recv(socket, &identity, identity.count, 0)
            guard named >= 0 else { return }
            guard zmq_recv(socket, nil, 0, 0) >= 0 else { return }
            let asked = zmq_recv(socket, &request, request.count, 0)
            guard asked >= 0 else { return }
            let count = answerBytes ?? min(Int(asked), request.count)
            zmq_send(socket, identity, Int(named), ZMQ_SNDMORE)
            zmq_send(socket, nil, 0, ZMQ_SNDMORE)
            zmq_send(socket, request, count, 0)
        }
    }
}
