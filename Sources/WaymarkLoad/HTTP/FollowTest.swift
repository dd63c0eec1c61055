// SPDX-License-Identifier: Apache-2.0

import DequeModule
public import LoadTest
import Synchronization
import ZeroMQ

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
                try meeting.send(watch.stop, orElse: BusStreamError.ended, run: { wait(shape, watch, from: $0, first) })
            },
            receive: {
                try streams.receiveAll(meeting, shape, watch) { rev, _, bytes in
                    // A change after the end does not belong to the test, so it does not prolong it.
                    let receipt = first.receipt(of: rev, at: NanoClock.now)
                    let number = receipt == nil ? nil : rev
                    // The first receipt has no latency, so only its order counts, as in the warm-up. A single stream
                    // has no others.
                    let isTimed = receipt?.isFirst == false || streams.count == 1
                    let time = isTimed ? receipt?.time ?? 0 : 0
                    return StreamArrival(number: number, intended: time, bytes: bytes, order: rev)
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

/// Streams of `/v1/changes` that follow everything.
struct WebStreams: Sendable {
    /// Makes an arrival of a change: of its revision, of the number of its write, and of its size in bytes.
    typealias Reading = (UInt64, UInt64?, Int) -> StreamArrival

    /// The number of streams that are opened at a time, so that the kernel's queue of new connections never overflows.
    private static let atOnce = 64

    var origin: HTTPOrigin
    var count: Int
    /// The time limit in nanoseconds for streams to begin.
    var timeout: UInt64
    /// The names of the landmarks whose numbers are read; nil if none are.
    var names: WrittenNames?

    /// Opens the streams, and receives until the sender is done. Runs on the receivers' thread of the meeting.
    ///
    /// - Parameter arrival: called for each change that comes to a stream.
    /// - Returns: what came. The error `stream_ended` counts the streams that ended early.
    func receiveAll(
        _ meeting: StreamMeeting, _ shape: LoadShape, _ watch: LoadWatch, _ arrival: @escaping Reading
    ) throws -> StreamArrivals {
        let receiver = try StreamReceiver<WebIntake>(watch: watch)
        let (address, buffer) = (try HTTPAddress(origin, within: timeout), ReceiveBuffer())
        let request = origin.request("/v1/changes", fields: "Accept: text/event-stream\r\n")
        var intakes: [WebIntake] = []
        while intakes.count < count {
            if watch.stop.isAsked { throw BusStreamError.ended }
            let some = try (0..<min(Self.atOnce, count - intakes.count)).map { _ in
                try WebIntake(self, at: address, request, buffer, arrival)
            }
            for intake in some { try receiver.add(intake) }
            intakes += some
            let deadline = NanoClock.now + timeout
            let hasBegun = try receiver.greet { NanoClock.now > deadline || some.contains { $0.failure != nil } }
            guard hasBegun else { throw some.lazy.compactMap(\.failure).first ?? HTTPLoadError.noAnswer }
        }
        var arrivals = try receiver.receiveAll(meeting, shape)
        let ended = UInt64(intakes.count { $0.failure != nil })
        if ended > 0 { arrivals.errors["stream_ended"] = ended }
        return arrivals
    }
}

/// A stream of `/v1/changes`. Its first line counts as the greeting: every change from then on comes to it.
final class WebIntake: StreamIntake {
    /// Nil once the stream has ended. A closed connection no longer wakes the thread.
    private var connection: HTTPConnection?
    private let buffer: ReceiveBuffer
    private var reader: WebStreamReader
    private let arrival: WebStreams.Reading
    private var arrivals = Deque<StreamArrival>()
    /// Why the stream has ended; nil while it is open.
    private(set) var failure: HTTPLoadError?

    /// Opens a stream.
    ///
    /// - Parameter arrival: called for each change when it comes.
    init(
        _ streams: WebStreams, at address: HTTPAddress, _ request: [UInt8], _ buffer: ReceiveBuffer,
        _ arrival: @escaping WebStreams.Reading
    ) throws(HTTPLoadError) {
        guard let connection = address.connect(within: streams.timeout) else { throw .nobody("\(streams.origin)") }
        (self.connection, self.buffer, self.arrival) = (connection, buffer, arrival)
        reader = WebStreamReader(streams.names)
        // The buffer of a new connection holds a request.
        guard connection.send(request) == request.count else { throw .closed }
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) {
        if let connection { try poller.add(descriptor: connection.descriptor) }
    }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        // A server that never pauses must not keep the thread from the other streams. The poller tells of the rest.
        for _ in 0..<16 where arrivals.isEmpty {
            guard let bytes = connection?.receive(buffer) else { break }
            do throws(HTTPLoadError) {
                guard !bytes.isEmpty else { throw .closed }
                try reader.read(bytes) { note($0) }
            } catch { (connection, failure) = (nil, error) }
        }
        return arrivals.popFirst()
    }

    private func note(_ event: WebEvent) {
        switch event {
        case .begun: arrivals.append(StreamArrival(number: 0, intended: 0, bytes: 0))
        case .change(let rev, let number, let bytes): arrivals.append(arrival(rev, number, bytes))
        case .beacon: break
        }
    }
}
