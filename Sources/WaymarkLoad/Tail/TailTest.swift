// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import LoadTest
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
        let result = try meeting.send(watch.stop, orElse: silence) {
            NanoClock.sleep(1_000_000)
        } run: { begun in
            var generator = RequestGenerator(watch: watch, timeout: timeout)
            // The receiving thread reports the results of each second instead. It sees no refusals.
            generator.watch.tell = nil
            generator.watch.abort?.assertions.removeAll { $0.metric != .errors }
            return try generator.run(ports, shape, from: begun)
        }
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
