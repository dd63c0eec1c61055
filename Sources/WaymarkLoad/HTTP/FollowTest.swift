// SPDX-License-Identifier: Apache-2.0

public import LoadTest
import Synchronization

/// A test of streams of `/v1/changes` that writes nothing: it counts the changes that others write.
///
/// The latency is the time from the first stream's receipt of a change until another stream has it, so that one clock
/// times both; it is zero if there is only one stream. A change that came to one stream but not to another is lost for
/// the other. Changes are in order if their revisions increase.
public struct FollowTest: Sendable {
    private let streams: WebStreams

    /// - Parameter timeout: the time limit in nanoseconds for streams to begin.
    public init(_ origin: HTTPOrigin, streams: Int, timeout: UInt64 = 5_000_000_000) {
        self.streams = WebStreams(origin: origin, count: streams, timeout: timeout)
    }

    /// - Parameter shape: its warm-up and its duration count, and nothing else.
    public func run(_ shape: LoadShape, _ watch: LoadWatch) async throws -> LoadResult {
        // The streams have time limits of their own.
        let (meeting, first) = (StreamMeeting(patience: .max), FirstReceipts())
        let (waited, heard) = try await meeting.run(
            send: {
                try meeting.send(watch.stop, orElse: BusStreamError.ended) {
                    NanoClock.sleep(1_000_000)
                } run: { begun in
                    wait(shape, watch, from: begun, first)
                }
            },
            receive: {
                try streams.receiveAll(meeting, shape, watch) { rev, _, bytes in
                    // A change after the end does not belong to the test, so it does not prolong it.
                    let now = NanoClock.now
                    guard let (time, isFirst) = first.receipt(of: rev, at: now) else {
                        return StreamArrival(number: nil, intended: 0, bytes: bytes, order: rev)
                    }
                    // The first receipt has no latency, so only its order counts, as in the warm-up. A single stream
                    // has no others.
                    let isTimed = !isFirst || streams.count == 1
                    return StreamArrival(number: rev, intended: isTimed ? time : 0, bytes: bytes, order: rev)
                }
            })
        var result = heard.result(beside: waited, sent: first.count)
        if streams.count > 1 { result.figures.sent -= min(result.figures.sent, first.count) }
        result.figures.lost = result.figures.sent - min(result.figures.sent, result.figures.done)
        result.figures.foreign = nil
        return result
    }

    /// Returns at the end of the shape, with nothing counted but the time.
    private func wait(
        _ shape: LoadShape, _ watch: LoadWatch, from begun: UInt64, _ first: FirstReceipts
    ) -> LoadResult {
        var run = LoadRun(shape, from: begun, watch, tells: false)
        first.begin(at: run.countsFrom)
        while case let now = NanoClock.now, now < run.end, !watch.stop.isAsked {
            run.begins(at: now)
            NanoClock.sleep(min(10_000_000, run.end - now))
            run.hasIdled(since: now)
        }
        first.end()
        return run.result(sentUntil: NanoClock.now)
    }
}

/// When each change came to the first of all streams. One thread writes the receipts, another the times of the run.
final class FirstReceipts: Sendable {
    private let times = SendTimes()
    private let countsFrom = Atomic(UInt64.max)
    private let isOver = Atomic(false)
    private let counted = Atomic(UInt64(0))

    /// The number of different changes that came since the warm-up.
    var count: UInt64 { counted.load(ordering: .relaxed) }

    func begin(at time: UInt64) { countsFrom.store(time, ordering: .relaxed) }

    func end() { isOver.store(true, ordering: .relaxed) }

    /// Returns when the change came to the first stream, and whether that is this receipt; nil if it was after the end.
    func receipt(of rev: UInt64, at now: UInt64) -> (time: UInt64, isFirst: Bool)? {
        // Revisions begin with 1.
        guard rev > 0 else { return nil }
        if let time = times.time(rev) { return (time, false) }
        guard !isOver.load(ordering: .relaxed) else { return nil }
        times.note(rev, now)
        if now >= countsFrom.load(ordering: .relaxed) { counted.wrappingAdd(1, ordering: .relaxed) }
        return (now, true)
    }
}
