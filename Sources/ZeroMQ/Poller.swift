// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Waits for several sockets at once, on a thread that runs its own code instead of an ``EventLoop``.
///
/// Belongs to the thread of its sockets, and keeps them open.
public struct Poller: ~Copyable {
    /// The timer of ``wait(nanoseconds:)``, followed by the sockets.
    private var items = [zmq_pollitem_t(socket: nil, fd: -1, events: Int16(ZMQ_POLLIN), revents: 0)]
    private var sockets: [SharedSocket] = []

    public init() {}

    deinit { if items[0].fd >= 0 { close(items[0].fd) } }

    public var count: Int { items.count - 1 }

    /// Adds a socket, so that ``wait(_:)`` returns when the socket has something to receive.
    public mutating func add(_ socket: borrowing Socket) {
        sockets.append(socket.shared)
        items.append(zmq_pollitem_t(socket: socket.shared.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
    }

    /// Adds a descriptor of another kind, which also ends the wait when it can be read. The caller must keep it open
    /// while the poller is used.
    public mutating func add(descriptor: Int32) {
        items.append(zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
    }

    /// Waits until a socket has something to receive, or the time is over.
    ///
    /// - Parameter limit: the longest time to wait, rounded up to milliseconds; `.zero` checks without waiting.
    /// - Returns: whether a socket has something to receive.
    public mutating func wait(_ limit: Duration) throws(ZeroMQError) -> Bool {
        // Zero is a frequent limit, and skips the rounding because dividing 128 bits is slow.
        try poll(from: 1, limit <= .zero ? 0 : limit.roundedUpMilliseconds)
    }

    /// Waits with a time limit as precise as the system wakes threads, which is within 50 to 100 µs. Costs one more
    /// system call, because `zmq_poll` itself counts milliseconds.
    ///
    /// - Returns: whether a socket has something to receive.
    public mutating func wait(nanoseconds: UInt64) throws(ZeroMQError) -> Bool {
        guard nanoseconds > 0 else { return try poll(from: 1, 0) }
        if items[0].fd < 0 {
            items[0].fd = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            guard items[0].fd >= 0 else { throw ZeroMQError("timerfd_create", errno: errno) }
        }
        var alarm = itimerspec()
        alarm.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        alarm.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        // Setting the timer also clears an earlier expiry that has not been waited for.
        guard timerfd_settime(items[0].fd, 0, &alarm, nil) == 0 else {
            throw ZeroMQError("timerfd_settime", errno: errno)
        }
        return try poll(from: 0, -1)
    }

    private mutating func poll(from first: Int, _ milliseconds: Int) throws(ZeroMQError) -> Bool {
        let ready = items.withUnsafeMutableBufferPointer { items in
            zmq_poll(items.baseAddress! + first, Int32(items.count - first), milliseconds)
        }
        // A signal interrupted the wait. The caller compares the clock anyway.
        if ready < 0, zmq_errno() == EINTR { return false }
        guard ready >= 0 else { throw ZeroMQError("zmq_poll") }
        return ready > (first == 0 && items[0].revents != 0 ? 1 : 0)
    }
}

@available(*, unavailable, message: "a libzmq socket belongs to one thread for life")
extension Poller: Sendable {}
