// SPDX-License-Identifier: Apache-2.0

import DequeModule
import LoadTest
import ZeroMQ

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
            } catch {
                (connection, failure) = (nil, error)
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
