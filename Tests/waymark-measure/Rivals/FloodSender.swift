// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import Foundation
import LoadTest
import Synchronization
import WaymarkProtocol
import ZeroMQ

/// A bare PUB socket that sends as fast as it can, on its own thread, until it is stopped.
final class FloodSender: Sendable {
    let endpoint: String
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Created on one thread and then used by another one alone. Starting a thread is a full fence.
    private struct Handles: @unchecked Sendable {
        let context: UnsafeMutableRawPointer?
        let socket: UnsafeMutableRawPointer?
    }

    /// - Parameter size: the size of a message in bytes.
    init(size: Int) throws {
        let context = zmq_ctx_new()
        let socket = zmq_socket(context, ZMQ_PUB)
        var (none, backlog): (Int32, Int32) = (0, 1_024)
        zmq_setsockopt(socket, ZMQ_LINGER, &none, MemoryLayout<Int32>.size)
        zmq_setsockopt(socket, ZMQ_BACKLOG, &backlog, MemoryLayout<Int32>.size)
        guard zmq_bind(socket, "tcp://127.0.0.1:*") == 0 else { throw ZeroMQError.last("zmq_bind", endpoint: "tcp") }
        var name = [CChar](repeating: 0, count: 256)
        var length = name.count
        zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, &name, &length)
        endpoint = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let handles = Handles(context: context, socket: socket)
        let topic = FloodReceivers.topic.bytes
        let payload = topic + [UInt8](repeating: 1, count: max(0, size - topic.count))
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                for _ in 0..<64 { zmq_send(handles.socket, payload, payload.count, ZMQ_DONTWAIT) }
            }
            zmq_close(handles.socket)
            zmq_ctx_term(handles.context)
            ended.signal()
        }
    }

    /// Stops the sender, and returns when it has stopped.
    func stop() {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
    }
}
