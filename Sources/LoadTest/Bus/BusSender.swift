// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A PUSH or PUB socket. Its messages are the payloads, or only begin like them: they may have topics, several frames or
/// various sizes.
public final class BusSender: StreamSender {
    public let socket: Socket
    private let topics: TopicPlan?
    /// The names of the topics; empty without topics.
    private let names: [[UInt8]]
    private let mostGreetings: Int
    /// Makes the messages; nil if they are the payloads.
    private var writer: MessageWriter?
    private var message = Message()
    private var greeted = 0

    /// - Parameters:
    ///   - form: the form of the messages; nil if they are the payloads.
    ///   - seed: the seed of the sizes.
    init(_ socket: consuming Socket, _ form: BusMessage?, _ topics: TopicPlan?, seed: UInt64, highWaterMark: Int) {
        self.socket = socket
        self.topics = topics
        names = topics?.names ?? []
        // A greeting beyond the high-water mark would be dropped.
        mostGreetings = max(1, min(highWaterMark, 256))
        writer = form.map { MessageWriter($0, seed: seed) }
    }

    public convenience init(_ socket: consuming Socket) { self.init(socket, nil, nil, seed: 0, highWaterMark: 0) }

    public func send(_ payload: [UInt8]) throws(ZeroMQError) -> Int? {
        message.removeAll()
        guard writer != nil else {
            payload.withUnsafeBytes { message.append(copying: $0) }
            return try socket.send(&message) == .sent ? payload.count : nil
        }
        guard let number = payload.withUnsafeBytes({ Payload.read($0) })?.number, number > 0 else {
            return try greet(payload)
        }
        if let topics { message.append(names[topics.topic(of: number)]) }
        payload.withUnsafeBytes { (head) -> Void in writer?.append(number, head, to: &message) }
        let bytes = message.totalByteCount
        return try socket.send(&message) == .sent ? bytes : nil
    }

    /// Sends a greeting with each of the next topics. A receiver is ready only when all its subscriptions are active. In
    /// a greeting the topic takes the place of the time.
    private func greet(_ head: [UInt8]) throws(ZeroMQError) -> Int? {
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
        return isSent ? head.count : nil
    }
}
