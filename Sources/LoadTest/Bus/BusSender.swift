// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A PUSH or PUB socket.
public final class BusSender: StreamSender {
    public let socket: Socket
    private let topics: TopicPlan?
    /// The names of the topics; empty without topics.
    private let names: [[UInt8]]
    private let mostGreetings: Int
    private var writer: MessageWriter
    private var greeter: MessageWriter
    private var message = Message()
    private var greeted = 0

    /// - Parameter seed: the seed of the sizes.
    init(
        _ socket: consuming Socket, _ form: BusMessage, tag: UInt64, topics: TopicPlan? = nil, seed: UInt64 = 0,
        highWaterMark: Int = 0
    ) {
        self.socket = socket
        self.topics = topics
        names = topics?.names ?? []
        // A greeting beyond the high-water mark would be dropped.
        mostGreetings = max(1, min(highWaterMark, 256))
        writer = MessageWriter(form, seed: seed, tag: tag)
        greeter = MessageWriter(BusMessage(.fixed(0)), seed: 0, tag: tag)
    }

    /// Sends messages of one size in bytes, at least ``BusStreamTest/leastBytes``.
    public convenience init(_ socket: consuming Socket, size: Int, tag: UInt64) {
        self.init(socket, BusMessage(.fixed(size)), tag: tag)
    }

    public func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Int? {
        guard number > 0 else { return try greet() }
        message.removeAll()
        var bytes = 0
        if let topics {
            let name = names[topics.topic(of: number)]
            message.append(name)
            bytes = name.count
        }
        bytes += writer.append(number, intended, to: &message)
        return try socket.send(&message) == .sent ? bytes : nil
    }

    /// Sends a greeting with each of the next topics. A receiver is ready only when all its subscriptions are active. In
    /// a greeting the topic takes the place of the time.
    private func greet() throws(ZeroMQError) -> Int? {
        var (bytes, isSent) = (0, true)
        for _ in 0..<max(1, min(names.count, mostGreetings)) {
            message.removeAll()
            if !names.isEmpty {
                greeted = (greeted + 1) % names.count
                message.append(names[greeted])
            }
            bytes = greeter.append(0, UInt64(greeted), to: &message)
            isSent = try socket.send(&message) == .sent
        }
        return isSent ? bytes : nil
    }
}
