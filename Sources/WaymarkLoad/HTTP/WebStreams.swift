// SPDX-License-Identifier: Apache-2.0

import LoadTest

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
