// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// Sets a socket's options before it binds or connects, and reads its endpoint, with plain calls of libzmq.
enum BareSocket {
    static func set(_ socket: UnsafeMutableRawPointer?, _ value: Int32, _ options: Int32...) {
        var value = value
        for option in options { zmq_setsockopt(socket, option, &value, MemoryLayout<Int32>.size) }
    }

    /// Binds to a free port of the loopback interface, and returns the endpoint.
    static func bind(_ socket: UnsafeMutableRawPointer?) throws(ZeroMQError) -> String {
        guard zmq_bind(socket, "tcp://127.0.0.1:*") == 0 else { throw ZeroMQError.last("zmq_bind", endpoint: "tcp") }
        var name = [CChar](repeating: 0, count: 256)
        var length = name.count
        zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, &name, &length)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func connect(_ socket: UnsafeMutableRawPointer?, _ endpoint: String) throws(ZeroMQError) {
        guard zmq_connect(socket, endpoint) == 0 else { throw ZeroMQError.last("zmq_connect", endpoint: endpoint) }
    }

    static func serve(_ socket: UnsafeMutableRawPointer?, _ keys: CurveKeyPair) {
        set(socket, 1, ZMQ_CURVE_SERVER)
        set(socket, ZMQ_CURVE_SECRETKEY, keys.secretKey)
    }

    static func trust(_ socket: UnsafeMutableRawPointer?, _ server: CurveKey, own: CurveKeyPair) {
        set(socket, ZMQ_CURVE_SERVERKEY, server)
        set(socket, ZMQ_CURVE_PUBLICKEY, own.publicKey)
        set(socket, ZMQ_CURVE_SECRETKEY, own.secretKey)
    }

    private static func set(_ socket: UnsafeMutableRawPointer?, _ option: Int32, _ key: CurveKey) {
        _ = key.bytes.withUnsafeBytes { zmq_setsockopt(socket, option, $0.baseAddress, $0.count) }
    }
}
