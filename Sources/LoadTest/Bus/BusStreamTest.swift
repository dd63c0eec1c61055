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

    public var pattern: Pattern
    /// The endpoint to which messages are sent; nil to send directly to the receivers in this process, over TCP.
    public var endpoint: String?
    /// The endpoint from which messages are received. If only the endpoint for sending is given, sending is timed.
    public var receiveEndpoint: String?
    /// The size of a message in bytes, at least ``leastBytes``.
    public var size: Int
    /// The number of receivers. Each SUB socket receives every message.
    public var receivers: Int
    /// The time within which the first message must arrive, in nanoseconds.
    public var patience: UInt64 = 5_000_000_000

    /// The minimum size of a message in bytes, because it contains its number, its time and the tag of its run.
    public static let leastBytes = Payload.fewestTagged

    public init(
        _ pattern: Pattern, endpoint: String? = nil, receiveEndpoint: String? = nil, size: Int = 64, receivers: Int = 1
    ) {
        (self.pattern, self.endpoint, self.receiveEndpoint) = (pattern, endpoint, receiveEndpoint)
        (self.size, self.receivers) = (size, receivers)
    }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        guard endpoint == nil || receiveEndpoint != nil else { return try await sendOnly(shape, watch) }
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
                    : try receive(shape, watch, meeting, intakes(shape, tag))
            })
        var result = received.result(beside: sent.result, sent: sent.result.tally.sent)
        result.figures.lost = received.ledgers.reduce(0) { $0 + $1.lost(of: sent.last) }
        result.figures.reorders = received.ledgers.reduce(0) { $0 + $1.reorders }
        return result
    }

    private func sendOnly(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        try await LoadThread.run {
            var generator = StreamGenerator()
            (generator.watch, generator.timesSending, generator.patience) = (watch, true, patience)
            return try generator.run(BusSender(try socket(shape, context: try Context())), size: size, shape).result
        }
    }

    private func send(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ tag: UInt64
    ) throws -> StreamGenerator.Outcome {
        // Sender and receivers each have their own I/O thread, as two processes have.
        let socket = try socket(shape, context: try Context())
        if endpoint == nil { meeting.sendsTo.tell(try socket.bind("tcp://127.0.0.1:*")) }
        return try send(through: BusSender(socket), shape, watch, meeting, tag)
    }

    private func sendBare(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ tag: UInt64
    ) throws -> StreamGenerator.Outcome {
        let end = BareStreamEnd(
            pattern == .push ? ZMQ_PUSH : ZMQ_PUB, in: BareContext(sockets: 1), highWaterMark: highWaterMark(shape),
            most: size, tag: tag)
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
            return try generator.run(sender, size: size, shape, from: begun)
        }
    }

    private func receive<Intake: StreamIntake>(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ intake: (String) throws -> Intake
    ) throws -> StreamArrivals {
        let receiver = try StreamReceiver<Intake>(watch: watch)
        guard let from = receiveEndpoint ?? meeting.sendsTo.wait() else { throw BusStreamError.ended }
        for _ in 0..<receivers { try receiver.add(intake(from)) }
        return try receiver.receiveAll(meeting, shape)
    }
}
