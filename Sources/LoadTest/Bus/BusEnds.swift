// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A PUSH or PUB socket.
public final class BusSender: StreamSender {
    public let socket: Socket
    private let topics: TopicPlan?
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

/// A PULL or SUB socket. Only the last frame of a message is read, because a topic may precede it.
public final class BusIntake: StreamIntake {
    private let socket: Socket
    /// The tag of the run. A message with a different tag belongs to a different run.
    private let tag: UInt64
    private let topics: TopicPlan?
    /// The number of this receiver, from 0.
    private let place: Int
    /// The topics of which no greeting has arrived.
    private var silent: Set<Int> = []
    private var message = Message()

    /// - Parameter topics: the topics, if this receiver counts only the messages of its own.
    public init(_ socket: consuming Socket, tag: UInt64, topics: TopicPlan? = nil, place: Int = 0) {
        self.socket = socket
        (self.tag, self.topics, self.place) = (tag, topics, place)
        if let topics, !topics.isWhole { silent = Set(topics.topics(of: place)) }
    }

    public func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(socket) }

    public func receive() throws(ZeroMQError) -> StreamArrival? {
        while try socket.receive(into: &message) {
            let told = message.withUnsafeBytes(at: message.count - 1) { Payload.read($0, tag: tag) }
            var number = told?.number
            if let told, told.number == 0, !silent.isEmpty {
                // A greeting has its topic in place of the time. It counts once there was one for each subscription.
                silent.remove(Int(truncatingIfNeeded: told.time))
                if !silent.isEmpty { continue }
            }
            if let topics, let sent = number, sent > 0 { number = topics.ordinal(of: sent, for: place) }
            return StreamArrival(number: number, intended: told?.time ?? 0, bytes: message.totalByteCount)
        }
        return nil
    }
}
