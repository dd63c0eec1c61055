// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import LoadTest
import WaymarkProtocol
import ZeroMQ

/// Subscribers of everything that count messages and bytes, with plain calls of libzmq on one thread.
struct DrainedSubscribers: Sendable {
    struct Count: Sendable {
        var messages = 0
        var changes = 0
        /// Of messages with changes.
        var bytes = 0
        /// Those that have received something.
        var hearing = 0
    }

    private static let topic = FeedTopic.everything

    let endpoint: String
    let subscribers: Int
    /// What has been received up to now; the caller reads it while it grows.
    let count = Locked(Count())

    /// Receives until it is asked to stop.
    func run(_ stop: LoadStop) throws {
        let context = zmq_ctx_new()
        zmq_ctx_set(context, ZMQ_MAX_SOCKETS, Int32(subscribers + 16))
        let sockets = (0..<subscribers).map { _ in zmq_socket(context, ZMQ_SUB) }
        defer {
            for socket in sockets { zmq_close(socket) }
            zmq_ctx_term(context)
        }
        var items = [zmq_pollitem_t](repeating: zmq_pollitem_t(), count: max(1, subscribers))
        for (place, socket) in sockets.enumerated() {
            var none: Int32 = 0
            zmq_setsockopt(socket, ZMQ_LINGER, &none, MemoryLayout<Int32>.size)
            zmq_setsockopt(socket, ZMQ_SUBSCRIBE, Self.topic.bytes, Self.topic.bytes.count)
            guard zmq_connect(socket, endpoint) == 0 else { throw ZeroMQError.last("zmq_connect", endpoint: endpoint) }
            (items[place].socket, items[place].events) = (socket, Int16(ZMQ_POLLIN))
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var hears = [Bool](repeating: false, count: subscribers)
        while !stop.isAsked {
            var turn = Count()
            for (place, socket) in sockets.enumerated() {
                for _ in 0..<256 {
                    let bytes = Int(zmq_recv(socket, &buffer, buffer.count, ZMQ_DONTWAIT))
                    guard bytes >= 0 else { break }
                    if !hears[place] { (hears[place], turn.hearing) = (true, turn.hearing + 1) }
                    let changes = buffer[Self.topic.bytes.count..<bytes].withUnsafeBytes {
                        FeedBatchView($0)?.count ?? 0
                    }
                    guard changes > 0 else { continue }
                    turn.messages += 1
                    turn.changes += changes
                    turn.bytes += bytes
                }
            }
            if turn.messages + turn.hearing == 0 { zmq_poll(&items, Int32(subscribers), 2) }
            count.withLock {
                $0.messages += turn.messages
                $0.changes += turn.changes
                $0.bytes += turn.bytes
                $0.hearing += turn.hearing
            }
        }
    }
}
