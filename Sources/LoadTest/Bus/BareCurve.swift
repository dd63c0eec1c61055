// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// CURVE's options of a bare socket, before it binds or connects.
enum BareCurve {
    static func serve(_ socket: UnsafeMutableRawPointer?, _ keys: CurveKeyPair) {
        var isServer: Int32 = 1
        zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &isServer, MemoryLayout<Int32>.size)
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
