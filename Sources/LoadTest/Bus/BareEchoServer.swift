// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import Foundation
import Synchronization
import ZeroMQ

/// A ROUTER socket that echoes, written with plain calls of libzmq on a thread of its own: the bare bus.
public final class BareEchoServer: Sendable {
    public let endpoint: String
    private let context: Handle
    private let ended = DispatchSemaphore(value: 0)

    /// A context or a socket of libzmq. `@unchecked Sendable`: any thread may use a context; a socket is handed to one
    /// thread before its first use there.
    private struct Handle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer? }

    /// - Parameters:
    ///   - requestBytes: the size of the largest request.
    ///   - answerBytes: the size of an answer; nil for the size of the request.
    ///   - keys: the keys for CURVE, which admits everybody who knows the public one; nil for no encryption.
    public init(requestBytes: Int, answerBytes: Int? = nil, keys: CurveKeyPair? = nil) throws(ZeroMQError) {
        let context = Handle(pointer: zmq_ctx_new())
        self.context = context
        let socket = zmq_socket(context.pointer, ZMQ_ROUTER)
        BareSocket.set(socket, 0, ZMQ_LINGER, ZMQ_SNDHWM, ZMQ_RCVHWM)
        if let keys { BareSocket.serve(socket, keys) }
        endpoint = try BareSocket.bind(socket)
        // The socket is made here, and from now on used by the other thread alone: libzmq allows that behind a full
        // fence, and starting a thread is one.
        let owned = Handle(pointer: socket)
        let ended = ended
        Thread.detachNewThread {
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
