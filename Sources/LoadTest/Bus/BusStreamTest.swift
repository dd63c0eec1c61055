// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// A one-way test of any bus: messages that are not answered.
///
/// This process also receives the messages, so that one clock times them and losses can be counted. It receives them
/// directly from the sender or, if a broker or a proxy is tested, from the endpoint at which the broker delivers them.
public struct BusStreamTest: Sendable {
    public enum Pattern: String, Sendable, CaseIterable { case push, pub }

    /// Receivers that are slow on purpose: the first ones.
    public struct Slow: Hashable, Sendable {
        public var count: Int
        /// The share of the intended messages that each of them takes at most.
        public var share: Double

        public init(count: Int, share: Double) { (self.count, self.share) = (count, share) }
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

    /// The high-water mark in messages: in a closed loop the window; in an open loop enough for a bus that keeps up.
    func highWaterMark(_ shape: LoadShape) -> Int {
        if case .closed(let window) = shape.loop { window } else { openHighWaterMark }
    }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        let tag = UInt64.random(in: .min ... .max)
        guard target.endpoint == nil || target.receive != nil else {
            return try await LoadThread.run {
                let generator = StreamGenerator(watch: watch, timesSending: true, patience: patience)
                return try generator.run(sender(sending(shape, nil), shape, tag), shape).result
            }
        }
        return try await meet(shape, watch) { (socket: consuming Socket) in
            sender(socket, shape, tag)
        } intake: { (socket: consuming Socket, place: Int) in
            BusIntake(socket, tag: tag, topics: topics, place: place)
        }
    }

    private func sender(_ socket: consuming Socket, _ shape: LoadShape, _ tag: UInt64) -> BusSender {
        BusSender(socket, message, tag: tag, topics: topics, seed: shape.seed, highWaterMark: highWaterMark(shape))
    }

    /// Runs the same traffic with plain calls of libzmq, with sender and receivers in this process.
    public func runBare(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        let (tag, size) = (UInt64.random(in: .min ... .max), message.usualBytes)
        var test = self
        test.target = BusTarget()
        return try await test.meet(shape, watch) { (socket: consuming Socket) in
            BareStreamEnd(socket, most: size, tag: tag)
        } intake: { (socket: consuming Socket, _: Int) in
            BareStreamEnd(socket, most: size, tag: tag)
        }
    }

    private func meet<Sender: StreamSender & SendableMetatype, Intake: StreamIntake & SendableMetatype>(
        _ shape: LoadShape, _ watch: LoadWatch, sender: @escaping @Sendable (consuming Socket) -> Sender,
        intake: @escaping @Sendable (consuming Socket, Int) -> Intake
    ) async throws -> LoadResult {
        let meeting = StreamMeeting(patience: patience)
        let (sent, received) = try await meeting.run(
            send: { try send(through: sender(sending(shape, meeting)), shape, watch, meeting) },
            receive: { try receive(shape, watch, meeting, intake) })
        return result(sent, received)
    }

    private func send(
        through sender: some StreamSender, _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting
    ) throws -> StreamGenerator.Outcome {
        let isCrowded = topics.map { !$0.isWhole && highWaterMark(shape) < $0.topics } ?? false
        return try meeting.send(watch.stop, orElse: BusStreamError.noWay(patience, isCrowded: isCrowded)) {
            _ = try sender.send(0, intended: 0)
            NanoClock.sleep(2_000_000)
        } run: { begun in
            try StreamGenerator(watch: watch, patience: patience).run(sender, shape, from: begun)
        }
    }

    private func receive<Intake: StreamIntake>(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting,
        _ intake: @escaping (consuming Socket, Int) -> Intake
    ) throws -> StreamArrivals {
        let (receiver, open) = (try StreamReceiver<Intake>(watch: watch), try receiving(shape))
        guard let from = target.receive ?? meeting.wait(for: \.sendsTo) else { throw BusStreamError.ended }
        let last = receivers - 1
        let share = (slow?.share ?? 1) * (topics.map { Double($0.subscribed) / Double($0.topics) } ?? 1)
        for place in 0..<receivers where joinAt == nil || place < last {
            let isSlow = place < slow?.count ?? 0
            try receiver.add(intake(open(from, place), place), pace: isSlow ? ReceiverPace(share, of: shape) : nil)
        }
        if let joinAt {
            receiver.add(after: UInt64(joinAt * 1e9)) { () throws(ZeroMQError) in try intake(open(from, last), last) }
        }
        return try receiver.receiveAll(meeting, shape)
    }

    /// Opens the sender's socket, which listens if there is no endpoint to connect to.
    func sending(_ shape: LoadShape, _ meeting: StreamMeeting?) throws -> Socket {
        var options = target.options(for: target.endpoint)
        options.linger = .seconds(10)
        // The backlog must hold all receivers, because they connect at the same time.
        options.backlog = 1_024
        options.sendHighWaterMark = highWaterMark(shape)
        // Queue nothing while nobody is connected. (A socket that never reads may use this option: see SocketOptions.)
        options.immediate = pattern == .push
        // Sender and receivers each have their own I/O thread, as two processes have.
        let socket = try Socket(pattern == .push ? .push : .pub, context: Context(), options: options)
        if let endpoint = target.endpoint {
            try socket.connect(endpoint)
        } else {
            let endpoint = try socket.bind("tcp://127.0.0.1:*")
            meeting?.tell { $0.sendsTo = endpoint }
        }
        return socket
    }

    /// Opens the sockets of receivers, each at an endpoint and with the receiver's number.
    func receiving(_ shape: LoadShape) throws -> (String, Int) throws(ZeroMQError) -> Socket {
        let context = try Context(maxSockets: receivers + 16)
        var options = target.options(for: target.receive)
        // Messages beyond it wait at the sender, or are dropped there. Without it, memory would hide a slow receiver.
        options.receiveHighWaterMark = highWaterMark(shape)
        // libzmq drops subscriptions beyond the high-water mark for sending.
        if topics != nil { options.sendHighWaterMark = 0 }
        let settings = options
        return { (endpoint, place) throws(ZeroMQError) in
            let socket = try Socket(pattern == .push ? .pull : .sub, context: context, options: settings)
            if let topics, !topics.isWhole {
                for topic in topics.topics(of: place) { try socket.subscribe(topics.name(topic)) }
            } else if pattern == .pub {
                try socket.subscribe([])
            }
            try socket.connect(endpoint)
            return socket
        }
    }

    func result(_ sent: StreamGenerator.Outcome, _ received: StreamArrivals) -> LoadResult {
        let counted = sent.result.tally.sent
        func due(upTo number: UInt64, _ place: Int) -> UInt64 { topics?.count(upTo: number, for: place) ?? number }
        var (rows, expected): ([LoadFigures.Receiver], UInt64) = ([], 0)
        for place in 0..<receivers {
            let ledger = received.ledgers.indices.contains(place) ? received.ledgers[place] : SequenceLedger()
            let isLate = joinAt != nil && place == receivers - 1
            let all = due(upTo: sent.last, place)
            let warm = due(upTo: sent.last - min(sent.last, counted), place)
            // Everything before the first message that arrived was sent before the receiver had joined.
            let missed = !isLate ? 0 : ledger.received > 0 ? ledger.lowest - 1 : all
            let kind =
                isLate ? ledger.received > 0 ? " (late)" : " (never joined)" : place < slow?.count ?? 0 ? " (slow)" : ""
            rows.append(
                LoadFigures.Receiver(
                    name: "receiver \(place + 1)\(kind)", received: ledger.received, missed: missed,
                    lost: ledger.lost(of: all - min(all, missed))))
            expected += all - min(all, max(warm, missed))
        }
        let copies = counted > 0 ? Double(expected) / Double(counted) : Double(rows.count)
        var result = received.result(beside: sent.result, expected: expected, copies: copies)
        let lost = rows.reduce(0) { $0 + $1.lost }
        result.figures.lost = lost
        let isPlanned = topics != nil || slow != nil || joinAt != nil
        if isPlanned || (lost > 0 && rows.count > 1) { result.figures.receivers = rows }
        return result
    }
}
