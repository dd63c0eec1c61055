// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import LoadTest
import Synchronization
import WaymarkProtocol
public import ZeroMQ

/// A load test of the feed: it writes landmarks, and measures when each subscriber has received each change.
///
/// The latency is the time from the intended time of the write until a subscriber has received the change. A change
/// that was acknowledged but did not reach a subscriber is lost. Changes are in order if their revisions increase.
public struct TailTest: Sendable {
    /// The endpoint of the query service, to which the writes are sent.
    public var endpoint: String
    /// The endpoint at which changes are published.
    public var changes: String
    public var user: String
    /// The security of the writers' and the subscribers' connections; nil for no identification and no encryption.
    public var security: (requests: SocketSecurity?, changes: SocketSecurity?)
    public var subscribers: Int
    /// The HTTP interface whose streams are the subscribers; nil for subscribers on the bus.
    public var web: HTTPOrigin?
    public var around: Coordinate?
    /// The kind of the written landmarks; nil for various kinds.
    public var kind: String?
    /// The time limit for an answer in nanoseconds.
    public var timeout: UInt64

    /// The time in nanoseconds within which a subscriber must receive its first beacon. However short `timeout` is, it
    /// covers several intervals, because a subscriber may just have missed a beacon, and the next beacon may be late.
    var patience: UInt64 { max(timeout, UInt64(3 * WaymarkProtocol.beaconMilliseconds) * 1_000_000) }

    public init(
        endpoint: String, changes: String, user: String, subscribers: Int, around: Coordinate? = nil,
        timeout: UInt64 = 5_000_000_000
    ) {
        (self.endpoint, self.changes, self.user) = (endpoint, changes, user)
        (self.subscribers, self.around, self.timeout) = (subscribers, around, timeout)
    }

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        // Streams over HTTP have time limits of their own.
        let meeting = StreamMeeting(patience: web == nil ? patience : .max)
        let (times, run) = (SendTimes(), LoadName.word())
        let (written, heard) = try await meeting.run(
            send: { try write(shape, watch, meeting, run, times) },
            receive: { try hear(shape, watch, meeting, WrittenNames(run: run), times) })
        var result = heard.result(beside: written.result, sent: written.result.tally.done)
        result.figures.lost = heard.ledgers.reduce(0) { sum, ledger in
            sum + UInt64(written.acknowledged.count { !ledger.has($0) })
        }
        let seconds = written.result.figures.seconds
        result.parts.insert(LoadResult(written.result.tally, seconds: seconds, name: "acknowledged"), at: 0)
        return result
    }

    private func write(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ run: String, _ times: SendTimes
    ) throws -> (result: LoadResult, acknowledged: [UInt64]) {
        let context = try Context(maxSockets: shape.clients + 16)
        let operation = WriteOperation(around: around, seed: shape.seed, run: run, kind: kind)
        let mix = OperationMix([WeightedOperation(operation)], seed: shape.seed)
        let ports = try (0..<shape.clients).map { _ in
            let port = try ServicePort(
                context, endpoint: endpoint, user: user, security: security.requests, operations: mix, timeout: timeout)
            port.times = times
            return port
        }
        let silence = TailTestError(
            description: "No beacon came from \(changes) within \(meeting.patience / 1_000_000_000) s: check that this "
                + "machine can reach the endpoint where storage publishes changes.")
        var generator = RequestGenerator(watch: watch, timeout: timeout)
        // The receiving thread reports the results of each second instead. It sees no refusals.
        generator.watch.tell = nil
        generator.watch.abort?.assertions.removeAll { $0.metric != .errors }
        let result = try meeting.send(watch.stop, orElse: silence, run: { try generator.run(ports, shape, from: $0) })
        return (result, ports.flatMap(\.acknowledged))
    }

    private func hear(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ names: WrittenNames, _ times: SendTimes
    ) throws -> StreamArrivals {
        if let web {
            return try WebStreams(origin: web, count: subscribers, timeout: patience, names: names)
                .receiveAll(meeting, shape, watch) { times.arrival(of: $1, bytes: $2, order: $0) }
        }
        let context = try Context(maxSockets: subscribers + 16)
        let receiver = try StreamReceiver<FeedIntake>(watch: watch)
        for _ in 0..<subscribers {
            try receiver.add(FeedIntake(context, endpoint: changes, security: security.changes, names, times))
        }
        return try receiver.receiveAll(meeting, shape)
    }
}

/// The reason why a test of the feed could not start.
public struct TailTestError: Error, Hashable, CustomStringConvertible { public let description: String }

/// A receiver that subscribes to all changes as the protocol describes it. It ignores changes that others wrote. The
/// first beacon (the regular message of the feed) counts as the greeting.
final class FeedIntake: StreamIntake {
    private let topic = FeedTopic.everything
    /// The number of bytes that were already read from the present batch; 0 if there is none.
    private var offset = 0
    private let socket: Socket
    private let times: SendTimes
    private let names: WrittenNames
    private var message = Message()

    init(
        _ context: Context, endpoint: String, security: SocketSecurity?, _ names: WrittenNames, _ times: SendTimes
    ) throws(ZeroMQError) {
        (self.names, self.times) = (names, times)
        socket = try Socket(.sub, context: context, options: .waymarkClient(of: endpoint, security))
        try socket.subscribe(topic.bytes)
        try socket.connect(endpoint)
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(socket) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        if let arrival = nextOfBatch() { return arrival }
        guard try socket.receive(into: &message) else { return nil }
        let bytes = message.totalByteCount
        guard message.count == 1 else { return StreamArrival(number: nil, intended: 0, bytes: bytes) }
        offset = topic.bytes.count
        return nextOfBatch() ?? StreamArrival(number: 0, intended: 0, bytes: bytes)
    }

    /// Returns the next change of the batch in `message`; nil if there is none.
    private func nextOfBatch() -> StreamArrival? {
        guard offset > 0, message.count == 1, offset < message.byteCount(at: 0) else { return nil }
        return message.withUnsafeBytes(at: 0) { bytes in
            var fields = WireFields(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            let change = fields.next(FeedBatchField.changes)
            offset = bytes.count - fields.rest.count
            return change.map { arrival($0) }
        }
    }

    /// Reads an encoded `Change`: its revision, and the number in its landmark's name if this test wrote the landmark.
    private func arrival(_ change: UnsafeRawBufferPointer) -> StreamArrival {
        let view = ChangeView(change)
        let landmark = view?.landmark.flatMap { LandmarkView($0) }
        let number = landmark.flatMap { names.number(in: $0.name) }
        return times.arrival(of: number, bytes: change.count, order: view?.rev ?? 0)
    }
}

/// The times at which the writes were meant to be sent, stored by the writing thread and read by the receiving one.
final class SendTimes: Sendable {
    private static let room: UInt64 = 1 << 20

    private let ring = Mutex([(number: UInt64, time: UInt64)](repeating: (0, 0), count: Int(SendTimes.room)))

    func note(_ number: UInt64, _ time: UInt64) {
        ring.withLock { $0[Int(number % Self.room)] = (number, time) }
    }

    /// Returns the intended time of a write; nil if a later write has overwritten it.
    func time(_ number: UInt64) -> UInt64? {
        let entry = ring.withLock { $0[Int(number % Self.room)] }
        return entry.number == number ? entry.time : nil
    }

    /// Makes the arrival of a change, which belongs to a different test without the number of a known write.
    func arrival(of number: UInt64?, bytes: Int, order: UInt64) -> StreamArrival {
        let known = number.flatMap { self.time($0) }
        return StreamArrival(number: known == nil ? nil : number, intended: known ?? 0, bytes: bytes, order: order)
    }
}
