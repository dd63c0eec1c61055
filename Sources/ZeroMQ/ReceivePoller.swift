// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Waits for many sockets that this thread only receives from. A wait takes time in proportion to the number of sockets
/// that have messages, while `zmq_poll` checks every socket: with 256 subscribers that takes longer than receiving.
///
/// Belongs to the thread of its sockets, and keeps them open.
///
/// libzmq has a file descriptor for each socket. It becomes readable when another of libzmq's threads notifies the
/// socket, and the next call on the socket clears it. So a call that does not receive everything, or that sends, could
/// clear the descriptor, and then waiting would not notice the remaining messages. For that reason a socket stays in
/// ``ready`` until its reader says that it is empty, and sockets that also send need a ``Poller``.
public struct ReceivePoller: ~Copyable {
    /// The indices of the sockets that may have something to receive. New sockets are included.
    public private(set) var ready: [Int] = []
    private var isReady: [Bool] = []
    private var sockets: [SharedSocket] = []
    private let epoll: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 64)

    /// - Throws: ``ZeroMQError/Code/tooManySockets`` if the process has no file descriptor left.
    public init() throws(ZeroMQError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw ZeroMQError("epoll_create1", errno: errno) }
    }

    deinit { close(epoll) }

    public var count: Int { isReady.count }

    /// Adds a socket.
    ///
    /// - Precondition: nothing is ever sent through the socket.
    public mutating func add(_ socket: borrowing Socket) throws(ZeroMQError) {
        sockets.append(socket.shared)
        var (descriptor, size): (Int32, Int) = (-1, MemoryLayout<Int32>.size)
        guard zmq_getsockopt(socket.shared.handle, ZMQ_FD, &descriptor, &size) == 0 else { throw ZeroMQError("ZMQ_FD") }
        try add(descriptor: descriptor)
    }

    /// Adds a descriptor of another kind. Its number remains when it is closed.
    public mutating func add(descriptor: Int32) throws(ZeroMQError) {
        let number = isReady.count
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(number)
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw ZeroMQError("epoll_ctl", errno: errno)
        }
        isReady.append(true)
        ready.append(number)
    }

    /// Waits until ``ready`` contains a socket, or the time is over. If it does already, only checks for more.
    ///
    /// - Parameter limit: the longest time to wait, rounded up to milliseconds; `.zero` checks without waiting.
    public mutating func wait(_ limit: Duration) throws(ZeroMQError) {
        let milliseconds = ready.isEmpty && limit > .zero ? Int32(clamping: limit.roundedUpMilliseconds) : 0
        let found = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        guard found >= 0 else {
            // A signal interrupted the wait. The caller compares the clock anyway.
            if errno == EINTR { return }
            throw ZeroMQError("epoll_wait", errno: errno)
        }
        for event in events.prefix(Int(found)) {
            let number = Int(event.data.u64)
            if !isReady[number] {
                isReady[number] = true
                ready.append(number)
            }
        }
        // The buffer was full, so more sockets are ready, perhaps all of them.
        if Int(found) == events.count, events.count < count {
            events += [epoll_event](repeating: epoll_event(), count: events.count)
        }
    }

    /// Removes the sockets from ``ready`` that have nothing more to receive.
    ///
    /// - Parameter isEmpty: returns whether the socket with this index was just found empty. Called once for each ready
    ///   socket.
    public mutating func empty<E: Error>(_ isEmpty: (Int) throws(E) -> Bool) throws(E) {
        var kept = 0
        for place in ready.indices {
            let number = ready[place]
            if try isEmpty(number) {
                isReady[number] = false
            } else {
                ready[kept] = number
                kept += 1
            }
        }
        ready.removeLast(ready.count - kept)
    }
}

@available(*, unavailable, message: "a libzmq socket belongs to one thread for life")
extension ReceivePoller: Sendable {}
