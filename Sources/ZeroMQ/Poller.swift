// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Waits for several sockets at once, on a thread that has a loop of its own and no ``EventLoop``.
///
/// Belongs to the thread of its sockets, and keeps them open.
public struct Poller: ~Copyable {
    private var items: [zmq_pollitem_t] = []
    private var sockets: [SharedSocket] = []

    public init() {}

    public var count: Int { items.count }

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
        return items.count - 1
    }

    /// Returns when one of them has something to receive, or the time is over.
    ///
    /// - Parameter limit: to the millisecond, rounded up; `.zero`: it only looks.
    /// - Returns: whether one has.
    public mutating func wait(_ limit: Duration) throws(ZeroMQError) -> Bool {
        // Whoever only looks does so often, and dividing 128 bits takes its time.
        let milliseconds = limit <= .zero ? 0 : limit.roundedUpMilliseconds
        while true {
            let ready = zmq_poll(&items, Int32(items.count), milliseconds)
            if ready >= 0 { return ready > 0 }
            // A signal interrupted the wait. The caller looks at the clock anyway.
            if zmq_errno() == EINTR { return false }
            throw ZeroMQError("zmq_poll")
        }
    }

    /// Whether the last ``wait(_:)`` found something to receive there.
    public func isReadable(_ number: Int) -> Bool { items[number].revents & Int16(ZMQ_POLLIN) != 0 }
}

@available(*, unavailable, message: "a libzmq socket belongs to one thread for life")
extension Poller: Sendable {}
