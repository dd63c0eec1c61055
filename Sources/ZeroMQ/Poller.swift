// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Waits for several sockets at once, on a thread that has a loop of its own and no ``EventLoop``.
///
/// Belongs to the thread of its sockets, and keeps them open.
public struct Poller: ~Copyable {
    /// The first one is the alarm.
    private var items = [zmq_pollitem_t(socket: nil, fd: -1, events: Int16(ZMQ_POLLIN), revents: 0)]
    private var sockets: [SharedSocket] = []

    public init() {}

    deinit { if items[0].fd >= 0 { close(items[0].fd) } }

    public var count: Int { items.count - 1 }

    /// From now on ``wait(_:)`` ends when `socket` has something to receive.
    ///
    /// - Returns: its number here, from 0.
    @discardableResult
    public mutating func add(_ socket: borrowing Socket) -> Int {
        sockets.append(socket.shared)
        return add(bare: socket.shared.handle)
    }

    /// A socket that was made with libzmq's own calls. Whoever made it keeps it open while this is used.
    @discardableResult
    public mutating func add(bare socket: UnsafeMutableRawPointer?) -> Int {
        var item = zmq_pollitem_t()
        item.socket = socket
        item.events = Int16(ZMQ_POLLIN)
        items.append(item)
        return items.count - 2
    }

    /// Returns when one of them has something to receive, or the time is over.
    ///
    /// - Parameter limit: to the millisecond, rounded up; `.zero`: it only looks.
    /// - Returns: whether one has.
    public mutating func wait(_ limit: Duration) throws(ZeroMQError) -> Bool {
        // Whoever only looks does so often, and dividing 128 bits takes its time.
        try poll(from: 1, limit <= .zero ? 0 : limit.roundedUpMilliseconds)
    }

    /// The same with a limit that is kept as precisely as the system wakes threads: some 50 to 100 µs. It costs one more
    /// call of the system, as `zmq_poll` itself counts milliseconds.
    ///
    /// - Returns: whether a socket has something.
    public mutating func wait(nanoseconds: UInt64) throws(ZeroMQError) -> Bool {
        guard nanoseconds > 0 else { return try poll(from: 1, 0) }
        if items[0].fd < 0 {
            items[0].fd = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            guard items[0].fd >= 0 else { throw ZeroMQError("timerfd_create", errno: errno) }
        }
        var alarm = itimerspec()
        alarm.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        alarm.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        // Setting it also ends an alarm that was not waited for.
        guard timerfd_settime(items[0].fd, 0, &alarm, nil) == 0 else {
            throw ZeroMQError("timerfd_settime", errno: errno)
        }
        return try poll(from: 0, -1)
    }

    private mutating func poll(from first: Int, _ milliseconds: Int) throws(ZeroMQError) -> Bool {
        let ready = items.withUnsafeMutableBufferPointer { items in
            zmq_poll(items.baseAddress! + first, Int32(items.count - first), milliseconds)
        }
        // A signal interrupted the wait. The caller looks at the clock anyway.
        if ready < 0, zmq_errno() == EINTR { return false }
        guard ready >= 0 else { throw ZeroMQError("zmq_poll") }
        return ready > (first == 0 && items[0].revents != 0 ? 1 : 0)
    }

    /// Whether the last ``wait(_:)`` found something to receive there.
    public func isReadable(_ number: Int) -> Bool { items[number + 1].revents & Int16(ZMQ_POLLIN) != 0 }
}

@available(*, unavailable, message: "a libzmq socket belongs to one thread for life")
extension Poller: Sendable {}
