// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Foundation

/// PUB to SUB over TCP on loopback with plain calls of libzmq, with a thread at each end.
final class BareBus {
    private let context = zmq_ctx_new()
    private let publisher: UnsafeMutableRawPointer?
    /// Written by the receiving thread, read by the sending one.
    private let received = NSCondition()
    // Accessed only while `received` is locked.
    nonisolated(unsafe) private var count = 0

    init() {
        publisher = zmq_socket(context, ZMQ_PUB)
        zmq_bind(publisher, "tcp://127.0.0.1:*")
        var endpoint = [CChar](repeating: 0, count: 256)
        var size = endpoint.count
        zmq_getsockopt(publisher, ZMQ_LAST_ENDPOINT, &endpoint, &size)
        let address = String(decoding: endpoint.prefix(max(0, size - 1)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Created here and then used by the other thread alone.
        nonisolated(unsafe) let subscriber = zmq_socket(context, ZMQ_SUB)
        zmq_setsockopt(subscriber, ZMQ_SUBSCRIBE, "", 0)
        zmq_connect(subscriber, address)
        // The caller keeps `self` alive until close() has ended the other thread's receiving.
        nonisolated(unsafe) let bus = self
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while zmq_recv(subscriber, &buffer, buffer.count, 0) >= 0 { bus.heard() }
            zmq_close(subscriber)
        }
        // Repeats until the subscription is active.
        while count == 0 {
            zmq_send(publisher, "x", 1, 0)
            usleep(1_000)
        }
        usleep(10_000)
    }

    private func heard() {
        received.lock()
        count += 1
        received.signal()
        received.unlock()
    }

    /// The time from sending to the receipt in the other thread.
    func send(_ bytes: [UInt8]) -> Duration {
        received.lock()
        let before = count
        let begun = ContinuousClock.now
        zmq_send(publisher, bytes, bytes.count, 0)
        while count == before { received.wait() }
        let time = ContinuousClock.now - begun
        received.unlock()
        return time
    }

    func close() {
        zmq_close(publisher)
        zmq_ctx_shutdown(context)
    }
}
