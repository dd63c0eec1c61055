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
    private let arrival: (WebEvent.Change) -> StreamArrival
    private var arrivals = Deque<StreamArrival>()
    /// Why the stream has ended; nil while it is open.
    private(set) var failure: HTTPLoadError?

    /// Opens a stream.
    ///
    /// - Parameter arrival: called for each change when it comes.
    init(
        _ streams: WebStreams, at address: HTTPAddress, _ request: [UInt8], _ buffer: ReceiveBuffer,
        _ arrival: @escaping (WebEvent.Change) -> StreamArrival
    ) throws(HTTPLoadError) {
        guard let descriptor = address.connect(within: streams.timeout) else { throw .nobody("\(streams.origin)") }
        (self.descriptor, self.buffer, self.arrival) = (descriptor, buffer, arrival)
        reader = WebStreamReader(streams.names)
        // The buffer of a new connection holds a request.
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw .closed }
    }

    deinit { if failure == nil { close(descriptor) } }

    /// Waits until the stream has begun.
    func begin(before deadline: UInt64) throws(HTTPLoadError) {
        while arrivals.isEmpty {
            if let failure { throw failure }
            let now = NanoClock.now
            guard now < deadline else { throw .noAnswer }
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1))
            take()
        }
    }

    func join(_ poller: inout ReceivePoller) throws(ZeroMQError) { try poller.add(descriptor: descriptor) }

    func receive() throws(ZeroMQError) -> StreamArrival? {
        while arrivals.isEmpty, failure == nil, take() {}
        return arrivals.popFirst()
    }

    /// - Returns: whether something has come.
    @discardableResult
    private func take() -> Bool {
        switch buffer.receive(descriptor) {
        case .nothing: return false
        case .end: end(.closed)
        case .bytes(let bytes):
            do throws(HTTPLoadError) { try reader.read(bytes) { note($0) } } catch { end(error) }
        }
        return true
    }

    private func note(_ event: WebEvent) {
        switch event {
        case .begun: arrivals.append(StreamArrival(number: 0, intended: 0, bytes: 0))
        case .change(let change): arrivals.append(arrival(change))
        case .beacon, .ended: break
        }
    }

    /// A closed descriptor no longer wakes the thread.
    private func end(_ reason: HTTPLoadError) {
        close(descriptor)
        failure = reason
    }
}
