// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import DequeModule
import Glibc
import LoadTest
import ZeroMQ

/// The connections of an ``HTTPTest``, on one thread.
final class HTTPPort: RequestPort {
    private struct Connection {
        /// Nil while it is closed. It is opened again for the next request.
        var open: HTTPConnection?
        var reader = HTTPReplyReader()
        /// The number of the request under way; 0 if there is none.
        var number: UInt64 = 0
        var begun: UInt64 = 0
        /// The rest of a request that waits, because the connection is still opening or its buffer is full.
        var unsent: [UInt8] = []
    }

    /// The names of failures, like those that the generator counts; the last one is followed by a status.
    static let (timedOut, lost, refused) = ("timed_out", "connection_lost", "http_")
    /// The time in nanoseconds between two searches for connections whose answer is overdue.
    private static let pause: UInt64 = 100_000_000
    /// The maximum number of buffers that are received from a connection in a turn.
    private static let buffers = 16

    private let test: HTTPTest
    private let address: HTTPAddress
    private let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let buffer = ReceiveBuffer()
    private var events = [epoll_event](repeating: epoll_event(), count: 64)
    private var connections: [Connection]
    /// The indexes of the connections without a request.
    private var idle: [Int]
    private var waiting = Deque<(number: UInt64, intended: UInt64)>()
    private var answers = Deque<RequestAnswer>()
    private var prepared: (number: UInt64, bytes: [UInt8]) = (0, [])
    private var searched: UInt64 = 0

    /// Returns when all connections are open.
    init(_ test: HTTPTest, connections count: Int) throws(HTTPLoadError) {
        self.test = test
        connections = Array(repeating: Connection(), count: count)
        idle = Array(0..<count)
        address = try HTTPAddress(test.origin, within: test.timeout)
        for place in 0..<count {
            guard open(place, within: test.timeout) else { throw .nobody("\(test.origin)") }
        }
    }

    deinit { if epoll >= 0 { close(epoll) } }

    func join(_ poller: inout Poller) { poller.add(descriptor: epoll) }

    func prepare(_ number: UInt64) {
        guard prepared.number != number else { return }
        prepared.number = number
        prepared.bytes.removeAll(keepingCapacity: true)
        test.request(number, &prepared.bytes)
    }

    func send(_ number: UInt64, intended: UInt64) throws(ZeroMQError) -> Bool {
        waiting.append((number, intended))
        dispatch()
        return true
    }

    func receive() throws(ZeroMQError) -> RequestAnswer? {
        if answers.isEmpty { collect() }
        return answers.popFirst()
    }

    private func dispatch() {
        while !idle.isEmpty, let next = waiting.popFirst() {
            let now = NanoClock.now
            // The generator has given it up.
            if now - min(now, next.intended) >= test.timeout { continue }
            let place = idle.removeLast()
            (connections[place].number, connections[place].begun) = (next.number, now)
            prepare(next.number)
            let isOpen = connections[place].open != nil || open(place, within: 0)
            if !isOpen || !write(prepared.bytes, place) { drop(place, Self.lost) }
        }
    }

    private func collect() {
        let found = epoll_wait(epoll, &events, Int32(events.count), 0)
        for index in 0..<Int(max(0, found)) { ready(Int(events[index].data.u64), events[index].events) }
        let now = NanoClock.now
        if now - searched > Self.pause {
            searched = now
            for place in connections.indices where connections[place].number > 0 {
                if now - connections[place].begun >= test.timeout { drop(place, Self.timedOut) }
            }
        }
        dispatch()
    }

    private func ready(_ place: Int, _ flags: UInt32) {
        let unsent = connections[place].unsent
        if !unsent.isEmpty, !write(unsent, place) { return drop(place, Self.lost) }
        let isEnding = flags & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        guard isEnding || flags & EPOLLIN.rawValue != 0 else { return }
        for _ in 0..<Self.buffers {
            guard let bytes = connections[place].open?.receive(buffer) else { return }
            take(bytes, place)
            // Less than the buffer holds is all there is. An end would have been told.
            if bytes.count < ReceiveBuffer.size, !isEnding { return }
        }
        // A server that never pauses must not keep the thread. Setting the event again tells of the rest.
        if let connection = connections[place].open, !watch(connection, place, EPOLL_CTL_MOD) { drop(place, Self.lost) }
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ place: Int) {
        // The connection has ended, or nobody has asked for anything.
        guard !bytes.isEmpty, connections[place].number > 0 else { return drop(place, Self.lost) }
        do throws(HTTPLoadError) {
            var offset = 0
            while let piece = try connections[place].reader.next(bytes, &offset) {
                if case .whole(let reply) = piece { finish(reply, place) }
            }
        } catch { drop(place, ReplyReader.unreadable) }
    }

    private func finish(_ reply: HTTPReplyReader.Reply, _ place: Int) {
        let error = reply.status == test.status ? nil : "\(Self.refused)\(reply.status)"
        answers.append(RequestAnswer(number: connections[place].number, bytes: reply.bytes, error: error))
        connections[place].number = 0
        idle.append(place)
        // An answer before the end of its request leaves a connection in an unknown state.
        if reply.isLast || !connections[place].unsent.isEmpty { drop(place, Self.lost) }
    }

    /// Closes a connection. A request under way has failed.
    private func drop(_ place: Int, _ error: String) {
        let number = connections[place].number
        connections[place] = Connection()
        guard number > 0 else { return }
        answers.append(RequestAnswer(number: number, bytes: 0, error: error))
        idle.append(place)
    }

    /// - Parameter limit: the nanoseconds to wait until it is open; 0 to go on while it opens.
    private func open(_ place: Int, within limit: UInt64) -> Bool {
        guard let connection = address.connect(within: limit), watch(connection, place, EPOLL_CTL_ADD) else {
            return false
        }
        connections[place].open = connection
        return true
    }

    private func watch(_ connection: HTTPConnection, _ place: Int, _ operation: Int32) -> Bool {
        var event = epoll_event()
        // Each event is told once, so that a writable connection wakes nobody.
        event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.u64 = UInt64(place)
        return epoll_ctl(epoll, operation, connection.descriptor, &event) == 0
    }

    /// Sends bytes, and keeps the rest of them if the connection takes no more now.
    private func write(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard let sent = connections[place].open?.send(bytes) else { return false }
        connections[place].unsent = Array(bytes.dropFirst(sent))
        return true
    }
}
