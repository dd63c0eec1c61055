// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// A plain libzmq context. It has one I/O thread, as the tested bus has. `@unchecked Sendable`: libzmq allows any thread
/// to use a context.
public final class BareContext: @unchecked Sendable {
    let pointer = zmq_ctx_new()

    /// - Parameter sockets: the number of sockets that will be opened.
    public init(sockets: Int) { zmq_ctx_set(pointer, ZMQ_MAX_SOCKETS, Int32(clamping: sockets + 16)) }

    deinit { zmq_ctx_term(pointer) }
}

/// A socket of plain libzmq, which keeps its context open. Used on one thread.
final class BareSocket {
    let pointer: UnsafeMutableRawPointer?
    private let context: BareContext

    /// - Parameters:
    ///   - kind: libzmq's number for the socket type, such as `ZMQ_PUSH`.
    ///   - linger: the milliseconds in which the rest is sent after the socket is closed.
    init(_ kind: Int32, in context: BareContext, highWaterMark: Int = 0, linger: Int32 = 0) {
        self.context = context
        pointer = zmq_socket(context.pointer, kind)
        set(linger, ZMQ_LINGER)
        // The backlog must hold all receivers, because they connect at the same time.
        set(1_024, ZMQ_BACKLOG)
        set(Int32(clamping: highWaterMark), ZMQ_SNDHWM, ZMQ_RCVHWM)
    }

    deinit { zmq_close(pointer) }

    /// Binds to a free port of the loopback interface, and returns the endpoint.
    func bind() throws(ZeroMQError) -> String {
        guard zmq_bind(pointer, "tcp://127.0.0.1:*") == 0 else { throw ZeroMQError.last("zmq_bind", endpoint: "tcp") }
        var name = [CChar](repeating: 0, count: 256)
        var length = name.count
        zmq_getsockopt(pointer, ZMQ_LAST_ENDPOINT, &name, &length)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func connect(_ endpoint: String) throws(ZeroMQError) {
        guard zmq_connect(pointer, endpoint) == 0 else { throw ZeroMQError.last("zmq_connect", endpoint: endpoint) }
    }

    func serve(_ keys: CurveKeyPair) {
        set(1, ZMQ_CURVE_SERVER)
        set(ZMQ_CURVE_SECRETKEY, keys.secretKey)
    }

    func trust(_ server: CurveKey, own: CurveKeyPair) {
        set(ZMQ_CURVE_SERVERKEY, server)
        set(ZMQ_CURVE_PUBLICKEY, own.publicKey)
        set(ZMQ_CURVE_SECRETKEY, own.secretKey)
    }

    private func set(_ value: Int32, _ options: Int32...) {
        var value = value
        for option in options { zmq_setsockopt(pointer, option, &value, MemoryLayout<Int32>.size) }
    }

    private func set(_ option: Int32, _ key: CurveKey) {
        _ = key.bytes.withUnsafeBytes { zmq_setsockopt(pointer, option, $0.baseAddress, $0.count) }
    }
}
