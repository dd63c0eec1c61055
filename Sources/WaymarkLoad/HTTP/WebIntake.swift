// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Glibc
import LoadTest
import ZeroMQ

/// A stream of `/v1/changes`. Its first line counts as the greeting: every change from then on comes to it.
final class WebIntake: StreamIntake {
    private let descriptor: Int32
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
        guard let descriptor = address.connect(within: streams.timeout) else { throw .nobody("\(streams.origin)") }
        (self.descriptor, self.buffer, self.arrival) = (descriptor, buffer, arrival)
        reader = WebStreamReader(streams.names)
        // The buffer of a new connection holds a request.
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw .closed }
    }

    deinit { if failure == nil { close(descriptor) } }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(descriptor: descriptor) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        // A server that never pauses must not keep the thread from the other streams. The poller tells of the rest.
        for _ in 0..<16 where arrivals.isEmpty && failure == nil {
            guard let bytes = buffer.receive(descriptor) else { break }
            do throws(HTTPLoadError) {
                guard !bytes.isEmpty else { throw .closed }
                try reader.read(bytes) { note($0) }
            } catch {
                // A closed descriptor no longer wakes the thread.
                close(descriptor)
                failure = error
            }
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
