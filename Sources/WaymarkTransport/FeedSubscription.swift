// SPDX-License-Identifier: Apache-2.0

import Glibc
import WaymarkProtocol
import ZeroMQ

/// A SUB socket on one topic. It always receives all waiting messages: if they stayed in the socket, the publisher would
/// drop later ones.
final class FeedSubscription {
    private let socket: Socket
    private let topic: FeedTopic
    private var watch: SocketWatch?
    private var message = Message()
    private let hear: (FeedHeader, [UInt8]?) -> Void

    /// - Parameter hear: called on the loop with each header and its payload; a beacon has no payload.
    init(
        loop: EventLoop, context: Context, endpoint: String, topic: FeedTopic,
        hear: @escaping (FeedHeader, [UInt8]?) -> Void
    ) throws(ZeroMQError) {
        self.topic = topic
        self.hear = hear
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.ipv6 = Endpoint.isIPv6(endpoint)
        socket = try Socket(.sub, context: context, options: options)
        try socket.subscribe(topic.bytes)
        try socket.connect(endpoint)
        watch = loop.watch(socket) { [weak self] in self?.drain() }
    }

    func close() {
        watch?.cancel()
        watch = nil
    }

    private func isTopic(_ bytes: UnsafeRawBufferPointer) -> Bool {
        topic.bytes.withUnsafeBytes {
            $0.count == bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, $0.count) == 0
        }
    }

    private func drain() {
        for _ in 0..<1_024 {
            guard watch != nil, (try? socket.receive(into: &message)) == true else { return }
            guard (2...3).contains(message.count),
                message.withUnsafeBytes(at: 0, { isTopic($0) }),
                let header = message.withUnsafeBytes(at: 1, { FeedHeader(encoded: $0) })
            else { continue }
            hear(header, message.count == 3 ? message.bytes(at: 2) : nil)
        }
    }
}
