// SPDX-License-Identifier: Apache-2.0

internal import CZeroMQ
import ZeroMQ

/// A one-way test of any bus: messages that are not answered.
///
/// This process also receives the messages, so that one clock times them and losses can be counted. It receives them
/// directly from the sender or, if a broker or a proxy is tested, from the endpoint at which the broker delivers them.
public struct BusStreamTest: Sendable {
    public enum Pattern: String, Sendable, CaseIterable {
        case push, pub
    }

    /// Receivers that are slow on purpose: the first ones.
    public struct Slow: Hashable, Sendable {
        public var count: Int
        /// The share of the intended messages that each of them takes at most.
        public var share: Double

        public init(count: Int, share: Double) {
            (self.count, self.share) = (count, share)
        }
    }

    public var pattern: Pattern
    public var target = BusTarget()
    /// The form of a message. The last frame has at least ``leastBytes`` bytes.
    public var message: BusMessage
    /// The number of receivers. Each SUB socket receives every message of its topics.
    public var receivers: Int
    /// The topics of PUB and SUB; nil for none.
    public var topics: TopicPlan?
    /// The high-water mark of both ends in messages, in an open loop.
    public var openHighWaterMark = 100_000
    /// Nil for none. Only for PUB in an open loop.
    public var slow: Slow?
    /// The seconds after the warm-up at which the last receiver connects; nil if it does so at once. Only for PUB.
    public var joinAt: Double?
    /// The time within which the first message must arrive, in nanoseconds.
    public var patience: UInt64 = 5_000_000_000

    /// The minimum size of a message in bytes, because it contains its number, its time and the tag of its run.
    public static let leastBytes = Payload.fewestTagged

    /// - Parameter size: the size of a message in bytes, at least ``leastBytes``.
    public init(_ pattern: Pattern, size: Int = 64, receivers: Int = 1) {
        (self.pattern, self.receivers, message) = (pattern, receivers, BusMessage(.fixed(size)))
    }

    /// The size of the messages in bytes; nil if a ``PlannedSender`` makes them.
    private var plainSize: Int? { topics == nil ? message.plainSize : nil }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        guard target.endpoint == nil || target.receive != nil else { return try await sendOnly(shape, watch) }
        return try await meet(shape, watch, isBare: false)
    }

    /// Runs the same traffic with plain calls of libzmq, with sender and receivers in this process.
    public func runBare(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await meet(shape, watch, isBare: true)
    }

    private func meet(_ shape: LoadShape, _ watch: LoadWatch, isBare: Bool) async throws -> LoadResult {
        let meeting = StreamMeeting(patience: patience)
        let tag = UInt64.random(in: .min ... .max)
        let (sent, received) = try await meeting.run(
            send: { try isBare ? sendBare(shape, watch, meeting, tag) : send(shape, watch, meeting, tag) },
            receive: {
                isBare
                    ? try receive(shape, watch, meeting, bareIntakes(shape, tag))
                    : try receive(shape, watch, meeting, tag)
            })
        return result(sent, received)
    }

    private func sendOnly(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            var generator = StreamGenerator()
            (generator.watch, generator.timesSending, generator.patience) = (watch, true, patience)
            let socket = try socket(shape, context: try Context())
            if let plainSize { return try generator.run(BusSender(socket), size: plainSize, shape).result }
            return try generator.run(planned(socket, shape), size: Self.leastBytes, shape).result
        }
    }

    private func send(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ tag: UInt64
    ) throws -> StreamGenerator.Outcome {
        // Sender and receivers each have their own I/O thread, as two processes have.
        let socket = try socket(shape, context: try Context())
        if target.endpoint == nil { meeting.sendsTo.tell(try socket.bind("tcp://127.0.0.1:*")) }
        if plainSize != nil { return try send(through: BusSender(socket), shape, watch, meeting, tag) }
        return try send(through: planned(socket, shape), shape, watch, meeting, tag)
    }

    private func planned(_ socket: consuming Socket, _ shape: LoadShape) -> PlannedSender {
        PlannedSender(socket, message, topics, seed: shape.seed, highWaterMark: highWaterMark(shape))
    }

    private func sendBare(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ tag: UInt64
    ) throws -> StreamGenerator.Outcome {
        let end = BareStreamEnd(
            pattern == .push ? ZMQ_PUSH : ZMQ_PUB, in: BareContext(sockets: 1), highWaterMark: highWaterMark(shape),
            most: message.sizes.usual, tag: tag)
        meeting.sendsTo.tell(try end.bind())
        return try send(through: end, shape, watch, meeting, tag)
    }

    private func send(
        through sender: some StreamSender, _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting,
        _ tag: UInt64
    ) throws -> StreamGenerator.Outcome {
        var greeting = Payload.make(Payload.fewestTagged)
        Payload.write(0, 0, tag: tag, into: &greeting)
        return try meeting.send(watch.stop, orElse: BusStreamError.noWay(meeting.patience)) {
            _ = try sender.send(greeting)
            NanoClock.sleep(2_000_000)
        } run: { begun in
            var generator = StreamGenerator()
            (generator.watch, generator.patience, generator.tag) = (watch, patience, tag)
            // The receiver reports the results of each second instead.
            generator.watch.tell = nil
            return try generator.run(sender, size: plainSize ?? Self.leastBytes, shape, from: begun)
        }
    }

    private func receive(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ tag: UInt64
    ) throws -> StreamArrivals {
        guard topics != nil || slow != nil else {
            return try receive(shape, watch, meeting, intakes(shape) { socket, _ in BusIntake(socket, tag: tag) })
        }
        let make = try intakes(shape) { socket, place in
            PlannedIntake(socket, tag: tag, topics, place, pace(of: place, shape))
        }
        return try receive(shape, watch, meeting, make)
    }

    private func receive<Intake: StreamIntake>(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting,
        _ intake: @escaping (String, Int) throws(ZeroMQError) -> Intake
    ) throws -> StreamArrivals {
        let receiver = try StreamReceiver<Intake>(watch: watch)
        guard let from = target.receive ?? meeting.sendsTo.wait() else { throw BusStreamError.ended }
        let last = receivers - 1
        for place in 0..<last { try receiver.add(intake(from, place)) }
        if let joinAt {
            receiver.add(after: UInt64(joinAt * 1e9)) { () throws(ZeroMQError) in try intake(from, last) }
        } else {
            try receiver.add(intake(from, last))
        }
        return try receiver.receiveAll(meeting, shape)
    }
}
