// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import LoadTest
import WaymarkProtocol
import ZeroMQ

/// Subscribers of everything that count changes without decoding them, with plain calls of libzmq on one thread. The
/// same code measures a service, whose messages hold several changes, and the bare bus, where each message counts.
struct FloodReceivers: Sendable {
    static let topic = FeedTopic.everything

    let endpoint: String
    let subscribers: Int
    /// Whether messages are batches of changes.
    var isFeed = true

    /// - Returns: changes a second of all subscribers together, counted after each of them has received one.
    /// - Throws: ``TableError/unreadable(_:)`` if a subscriber receives nothing within ten seconds.
    func rate(seconds: Double, _ stop: LoadStop) throws -> Double {
        let context = zmq_ctx_new()
        zmq_ctx_set(context, ZMQ_MAX_SOCKETS, Int32(subscribers + 16))
        let sockets = (0..<subscribers).map { _ in zmq_socket(context, ZMQ_SUB) }
        defer {
            for socket in sockets { zmq_close(socket) }
            zmq_ctx_term(context)
        }
        var items = [zmq_pollitem_t](repeating: zmq_pollitem_t(), count: subscribers)
        for (place, socket) in sockets.enumerated() {
            var none: Int32 = 0
            zmq_setsockopt(socket, ZMQ_LINGER, &none, MemoryLayout<Int32>.size)
            let topic = Self.topic.bytes
            // The bare sender's messages have the same first bytes.
            zmq_setsockopt(socket, ZMQ_SUBSCRIBE, topic, topic.count)
            guard zmq_connect(socket, endpoint) == 0 else { throw ZeroMQError.last("zmq_connect", endpoint: endpoint) }
            (items[place].socket, items[place].events) = (socket, Int16(ZMQ_POLLIN))
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var counts = [Int](repeating: 0, count: subscribers)
        let patience = NanoClock.now + 10_000_000_000
        while counts.contains(0) {
            guard NanoClock.now < patience, !stop.isAsked else { throw TableError.unreadable(endpoint) }
            receive(sockets, &items, &buffer, &counts)
        }
        let (begun, before) = (NanoClock.now, counts.reduce(0, +))
        var now = begun
        while now - begun < UInt64(seconds * 1e9), !stop.isAsked {
            receive(sockets, &items, &buffer, &counts)
            now = NanoClock.now
        }
        return Double(counts.reduce(0, +) - before) * 1e9 / Double(max(1, now - begun))
    }

    /// The changes in a message; 0 for a beacon.
    private static func changes(_ message: ArraySlice<UInt8>) -> Int {
        message.dropFirst(topic.bytes.count).withUnsafeBytes { FeedBatchView($0)?.count ?? 0 }
    }

    /// Receives from each socket in turn; waits if none has a message.
    private func receive(
        _ sockets: [UnsafeMutableRawPointer?], _ items: inout [zmq_pollitem_t], _ buffer: inout [UInt8],
        _ counts: inout [Int]
    ) {
        var isIdle = true
        for place in sockets.indices {
            for _ in 0..<256 {
                let bytes = Int(zmq_recv(sockets[place], &buffer, buffer.count, ZMQ_DONTWAIT))
                guard bytes >= 0 else { break }
                counts[place] += isFeed ? Self.changes(buffer.prefix(bytes)) : 1
                isIdle = false
            }
        }
        if isIdle { zmq_poll(&items, Int32(items.count), 1) }
    }
}
