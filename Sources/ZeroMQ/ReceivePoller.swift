// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Waits for many sockets that this thread only receives from. A wait costs in proportion to the sockets that have
/// something, while `zmq_poll` asks each of them: with 256 subscribers that takes longer than receiving.
///
/// Belongs to the thread of its sockets, and keeps them open.
///
/// libzmq has a file descriptor for each socket, which becomes readable when another of its threads has news for the
/// socket, and the next call on the socket takes the news. So a call that does not receive everything, or that sends,
/// could take the news and leave nothing to wait for. That is why a socket is listed in ``ready`` until its reader says
/// that it is empty, and why sockets that also send need a ``Poller``.
public struct ReceivePoller: ~Copyable {
    /// The numbers of the sockets that may have something to receive. New sockets are included.
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

    /// - Returns: the socket's number here, from 0.
    /// - Precondition: nothing is ever sent through the socket.
    @discardableResult
    public mutating func add(_ socket: borrowing Socket) throws(ZeroMQError) -> Int {
        sockets.append(socket.shared)
        return try add(bare: socket.shared.handle)
    }

    /// Adds a socket that was made with libzmq's own calls. The caller keeps it open while the poller is used.
    @discardableResult
    public mutating func add(bare socket: UnsafeMutableRawPointer?) throws(ZeroMQError) -> Int {
        var (descriptor, size): (Int32, Int) = (-1, MemoryLayout<Int32>.size)
        guard zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size) == 0 else { throw ZeroMQError("ZMQ_FD") }
        let number = isReady.count
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(number)
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw ZeroMQError("epoll_ctl", errno: errno)
        }
        isReady.append(true)
        ready.append(number)
        return number
    }

    /// Returns when ``ready`` has a socket, or the limit is reached. While ``ready`` has one, the call only polls for
    /// more.
    ///
    /// - Parameter limit: to the millisecond, rounded up; `.zero` polls without waiting.
    public mutating func wait(_ limit: Duration) throws(ZeroMQError) {
        let milliseconds = ready.isEmpty && limit > .zero ? Int32(clamping: limit.roundedUpMilliseconds) : 0
        let found = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        guard found >= 0 else {
            // A signal interrupted the wait. The caller checks the clock anyway.
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
        // The buffer was full, so more sockets are ready, perhaps all.
        if Int(found) == events.count, events.count < count {
            events += [epoll_event](repeating: epoll_event(), count: events.count)
        }
    }

    /// Removes the sockets from ``ready`` that have nothing left.
    ///
    /// - Parameter isEmpty: whether receiving from this socket has just found nothing. Called once for each ready
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
