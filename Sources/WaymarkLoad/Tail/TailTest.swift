// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import LoadTest
import WaymarkProtocol
public import ZeroMQ

/// A load test of the feed: writes, and measures the time until each subscriber has received each change.
///
/// Latency runs from the intended time of the write to its receipt. Lost are acknowledged changes that did not reach
/// a subscriber. Changes are in order if their revisions increase.
public struct TailTest: Sendable {
    /// The endpoint of the query service, which receives the writes.
    public var endpoint: String
    /// The endpoint where changes are published.
    public var changes: String
    public var user: String
    /// How the writers and the subscribers prove who they are; nil: not at all, and nothing is encrypted.
    public var security: (requests: SocketSecurity?, changes: SocketSecurity?)
    public var subscribers: Int
    public var around: Coordinate?
    /// The kind of the written landmarks; nil: different ones.
    public var kind: String?
    /// The time limit of an answer in nanoseconds.
    public var timeout: UInt64

    /// The time in nanoseconds within which a subscriber must receive its first beacon. It covers several intervals,
    /// however short `timeout` is: a subscriber may just have missed a beacon, and the next one may be late.
    var patience: UInt64 { max(timeout, UInt64(3 * WaymarkProtocol.beaconMilliseconds) * 1_000_000) }

    public init(
        endpoint: String, changes: String, user: String, subscribers: Int, around: Coordinate? = nil,
        timeout: UInt64 = 5_000_000_000
    ) {
        (self.endpoint, self.changes, self.user) = (endpoint, changes, user)
        (self.subscribers, self.around, self.timeout) = (subscribers, around, timeout)
    }

    /// The writing thread's results.
    private typealias Written = (outcome: RequestGenerator.Outcome, acknowledged: [UInt64])

    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        let meeting = StreamMeeting(patience: patience)
        let (times, run) = (SendTimes(), LoadName.word())
        let (written, heard) = try await meeting.run(
            send: { try write(shape, watch, meeting, run, times) },
            receive: { try hear(shape, watch, meeting, run, times) })
        return result(written, heard, shape)
    }

    private func result(_ written: Written, _ heard: StreamArrivals, _ shape: LoadShape) -> LoadResult {
        var tally = heard.tally
        tally.sent = written.outcome.tally.done * UInt64(subscribers)
        (tally.late, tally.skipped) = (written.outcome.tally.late, written.outcome.tally.skipped)
        var figures = heard.figures(
            tally, sentSeconds: written.outcome.seconds, sentBusy: written.outcome.busy,
            intendedRate: shape.rate.map { $0 * Double(subscribers) })
        figures.lost = heard.ledgers.reduce(0) { sum, ledger in
            sum + UInt64(written.acknowledged.count { !ledger.has($0) })
        }
        figures.reorders = heard.reorders
        figures.errors = written.outcome.tally.errors
        var result = LoadResult(figures: figures, tally: tally)
        let acknowledged = written.outcome.tally
        let part = acknowledged.figures(written.outcome.seconds, intendedRate: nil)
        result.parts = [("acknowledged", LoadResult(figures: part, tally: acknowledged))]
        return result
    }

    private func write(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ run: String, _ times: SendTimes
    ) throws -> Written {
        let context = try Context(maxSockets: shape.clients + 16)
        let operation = WriteOperation(around: around, seed: shape.seed, run: run, kind: kind)
        let mix = OperationMix([WeightedOperation(operation)], seed: shape.seed)
        let acknowledged = Acknowledged()
        let ports = try (0..<shape.clients).map { _ in
            let port = try ServicePort(
                context, endpoint: endpoint, user: user, security: security.requests, operations: mix, timeout: timeout)
            port.asked = { times.note($0, $1) }
            port.told = { number, isDone in if isDone { acknowledged.numbers.append(number) } }
            return port
        }
        while !meeting.isGreeted {
            guard !meeting.isLate, !watch.stop.isAsked else {
                if meeting.hasFailed || watch.stop.isAsked { throw BusStreamError.ended }
                throw TailTestError.silent(endpoint: changes, meeting.patience)
            }
            NanoClock.sleep(1_000_000)
        }
        let begun = NanoClock.now + 2_000_000
        meeting.begins.tell(begun)
        var generator = RequestGenerator(watch: watch, timeout: timeout)
        // Reported where the changes arrive instead.
        generator.watch.tell = nil
        let outcome = try generator.run(ports, shape, from: begun)
        meeting.isSent.tell(true)
        return (outcome, acknowledged.numbers)
    }

    /// Used on the writing thread only.
    private final class Acknowledged {
        var numbers: [UInt64] = []
    }

    private func hear(
        _ shape: LoadShape, _ watch: LoadWatch, _ meeting: StreamMeeting, _ run: String, _ times: SendTimes
    ) throws -> StreamArrivals {
        let context = try Context(maxSockets: subscribers + 16)
        let receiver = try StreamReceiver<FeedIntake>(tell: watch.tell)
        for _ in 0..<subscribers {
            try receiver.add(
                FeedIntake(
                    context, endpoint: changes, security: security.changes, run: run, times: times))
        }
        return try receiver.receiveAll(meeting, shape)
    }
}
