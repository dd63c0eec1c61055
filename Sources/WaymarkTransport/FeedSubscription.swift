// SPDX-License-Identifier: Apache-2.0

import Glibc
import WaymarkProtocol
import ZeroMQ

/// A SUB socket on one topic. It always receives all waiting messages: if they stayed in the socket, the publisher would
/// drop later ones.
final class FeedSubscription {
    /// What a header stands before.
    enum Content {
        case beacon
        case change(EncodedChange)
        /// A change that cannot be read.
        case unreadable
    }

    private let socket: Socket
    private let topic: FeedTopic
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// Whether there is a connection, and if not, why.
    private(set) var reach: ConnectionReach
    private var message = Message()
    private let hear: (FeedHeader, Content) -> Void

    /// - Parameter hear: called on the loop with each header.
    init(
        loop: EventLoop, context: Context, endpoint: String, topic: FeedTopic, security: SocketSecurity? = nil,
        hear: @escaping (FeedHeader, Content) -> Void
    ) throws(ZeroMQError) {
        self.topic = topic
        self.hear = hear
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.security = security
        options.ioThread = IOThreads.others
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        socket = try Socket(.sub, context: context, options: options)
        reach = ConnectionReach(endpoint, isSecured: security != nil)
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in _ = self?.reach.noticed(event) }
        try socket.subscribe(topic.bytes)
        try socket.connect(endpoint)
        watch = loop.watch(socket) { [weak self] in self?.drain() }
    }

    func close() {
        watch?.cancel()
        monitor?.cancel()
        (watch, monitor) = (nil, nil)
    }

    private func drain() {
        for _ in 0..<1_024 {
            guard watch != nil, (try? socket.receive(into: &message)) == true else { return }
            switch topic.form {
            case .single: hearSingle()
            case .batched: hearBatch()
            }
        }
    }

    private func hearSingle() {
        guard (2...3).contains(message.count),
            message.withUnsafeBytes(at: 0, { $0.count == topic.bytes.count && beginsWithTopic($0) }),
            let header = message.withUnsafeBytes(at: 1, { FeedHeader(encoded: $0) })
        else { return }
        if message.count == 2 { return hear(header, .beacon) }
        hear(header, Content(EncodedChange(message.bytes(at: 2)), header))
    }

    private func hearBatch() {
        guard message.count == 1 else { return }
        // A copy: whoever hears a change may end the subscription, and its socket with the message.
        let bytes = message.bytes(at: 0)
        bytes.withUnsafeBytes { bytes in
            guard beginsWithTopic(bytes),
                let batch = FeedBatchView(UnsafeRawBufferPointer(rebasing: bytes[topic.bytes.count...]))
            else { return }
            if batch.count == 0 { return hear(batch.header, .beacon) }
            batch.forEach { header, change in
                hear(header, Content(change, header))
                return watch != nil
            }
        }
    }

    private func beginsWithTopic(_ bytes: UnsafeRawBufferPointer) -> Bool {
        topic.bytes.withUnsafeBytes {
            $0.count <= bytes.count && memcmp($0.baseAddress!, bytes.baseAddress!, $0.count) == 0
        }
    }
}

extension FeedSubscription.Content {
    fileprivate init(_ change: EncodedChange?, _ header: FeedHeader) {
        if let change, change.rev == header.rev { self = .change(change) } else { self = .unreadable }
    }
}
