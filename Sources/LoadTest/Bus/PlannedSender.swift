// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// A PUSH or PUB socket whose messages have topics, several frames or various sizes. ``StreamGenerator`` gives it only
/// the head of a message.
final class PlannedSender: StreamSender {
    private let socket: Socket
    private let topics: TopicPlan?
    /// The names of the topics; empty without topics.
    private let names: [[UInt8]]
    private let mostGreetings: Int
    private var writer: MessageWriter
    private var message = Message()
    private var greeted = 0
    /// The size of the last message in bytes.
    private(set) var sentBytes: Int?

    init(_ socket: consuming Socket, _ form: BusMessage, _ topics: TopicPlan?, seed: UInt64, highWaterMark: Int) {
        self.socket = socket
        self.topics = topics
        names = topics?.names ?? []
        // A greeting beyond the high-water mark would be dropped.
        mostGreetings = max(1, min(highWaterMark, 256))
        writer = MessageWriter(form, seed: seed)
    }

    func send(_ head: [UInt8]) throws(ZeroMQError) -> Bool {
        guard let number = head.withUnsafeBytes({ Payload.read($0) })?.number, number > 0 else {
            return try greet(head)
        }
        message.removeAll()
        if let topics { message.append(names[topics.topic(of: number)]) }
        head.withUnsafeBytes { writer.append(number, $0, to: &message) }
        sentBytes = message.totalByteCount
        return try socket.send(&message) == .sent
    }

    /// Sends a greeting with each of the next topics. A receiver is ready only when all its subscriptions are active. In
    /// a greeting the topic takes the place of the time.
    private func greet(_ head: [UInt8]) throws(ZeroMQError) -> Bool {
        var (head, isSent) = (head, true)
        for _ in 0..<max(1, min(names.count, mostGreetings)) {
            message.removeAll()
            if !names.isEmpty {
                greeted = (greeted + 1) % names.count
                message.append(names[greeted])
                Payload.write(0, UInt64(greeted), into: &head)
            }
            head.withUnsafeBytes { message.append(copying: $0) }
            isSent = try socket.send(&message) == .sent
        }
        return isSent
    }
}
