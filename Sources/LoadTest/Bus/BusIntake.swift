// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

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
