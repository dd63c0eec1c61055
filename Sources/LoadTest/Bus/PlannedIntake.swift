// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// A PULL or SUB socket that subscribes to some of the topics, or that is slow on purpose.
final class PlannedIntake: StreamIntake {
    private let socket: Socket
    private let tag: UInt64
    private let topics: TopicPlan?
    /// The number of this receiver, from 0.
    private let place: Int
    /// The topics of which no greeting has arrived.
    private var silent: Set<Int> = []
    private var pace: ReceiverPace?
    private var message = Message()

    init(_ socket: consuming Socket, tag: UInt64, _ topics: TopicPlan?, _ place: Int, _ pace: ReceiverPace?) {
        self.socket = socket
        (self.tag, self.topics, self.place, self.pace) = (tag, topics, place, pace)
        if let topics, !topics.isWhole { silent = Set(topics.topics(of: place).joined()) }
    }

    /// A slow receiver is not polled, because it would stay readable, and nobody would ever wait.
    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { if pace == nil { try poller.add(socket) } }

    func begins(at time: UInt64) { pace?.begin(at: time) }

    func sendingEnded() { pace?.end() }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        if let pace, !pace.mayTake(at: NanoClock.now) { return nil }
        while try socket.receive(into: &message) {
            let told = message.withUnsafeBytes(at: message.count - 1) { Payload.read($0, tag: tag) }
            guard let told, told.number > 0 else {
                // A greeting has its topic in place of the time. It counts once there was one for each subscription.
                if let told { silent.remove(Int(truncatingIfNeeded: told.time)) }
                if told != nil, !silent.isEmpty { continue }
                return StreamArrival(number: told?.number, intended: 0, bytes: message.totalByteCount)
            }
            pace?.take()
            let number: UInt64? = if let topics { topics.ordinal(of: told.number, for: place) } else { told.number }
            return StreamArrival(number: number, intended: told.time, bytes: message.totalByteCount)
        }
        return nil
    }
}
