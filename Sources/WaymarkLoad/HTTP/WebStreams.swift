// SPDX-License-Identifier: Apache-2.0

import DequeModule
import LoadTest
import ZeroMQ

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
        _ meeting: StreamMeeting, _ shape: LoadShape, _ watch: LoadWatch,
        _ arrival: @escaping Reading
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
