// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// The state that a ``Socket`` shares with its watches and its monitor.
///
/// Not Sendable, because the socket, the watches and the monitor all live on one thread.
final class SharedSocket {
    /// libzmq's pointer to the socket, without a check of the thread. For the event loop that watches the socket on its
    /// own thread; all other code uses ``handle``.
    let bare: UnsafeMutableRawPointer
    let thread = SocketThread()
    /// The event loop on whose thread the socket was made; `nil` if that thread has none.
    private let loop = EventLoop.threads.current
    private(set) var isOpen = true
    /// The descriptor that becomes readable when another thread has something for the socket; -1 if the context was
    /// shut down.
    let descriptor: Int32
    /// Whether the socket was used since the event loop last asked it for its events. Using a socket may clear its
    /// descriptor although there is something to receive.
    var isUsed = true
    /// Whether the socket has a monitor.
    var isMonitored = false
    private var registrations: [Registration] = []
    /// Kept alive, because terminating a context with an open socket waits forever.
    let context: Context

    init(_ kind: Socket.Kind, context: Context) throws(ZeroMQError) {
        bare = try context.makeSocket(kind)
        self.context = context
        var (descriptor, size): (Int32, Int) = (-1, MemoryLayout<Int32>.size)
        self.descriptor = zmq_getsockopt(bare, ZMQ_FD, &descriptor, &size) == 0 ? descriptor : -1
    }

    deinit { close() }

    /// libzmq's pointer to the socket, for one call.
    ///
    /// - Precondition: the caller runs on the thread that made the socket.
    var handle: UnsafeMutableRawPointer {
        @inline(__always) get {
            thread.check()
            isUsed = true
            return bare
        }
    }

    /// Closes the socket when its owner is released. On another thread than its own, the event loop closes it in the
    /// next turn. A socket made on a thread without an event loop has to be released on that thread.
    func letGo() {
        guard let loop else { return close() }
        loop.end(self) { $0.close() }
    }

    /// Stops watching the socket and closes it. In libzmq, polling a closed socket is undefined behaviour.
    func close() {
        guard isOpen else { return }
        for registration in registrations { registration.cancel() }
        isOpen = false
        // Stop monitoring before closing, on the same thread. libzmq closes a socket later, in a thread of its own, and
        // would report that to a monitor which may be gone by then. In this case that thread would wait forever, and
        // all sockets of the context with it.
        if isMonitored { zmq_socket_monitor(handle, nil, 0) }
        zmq_close(handle)
    }

    /// Records that libzmq has processed all commands for the socket and then found nothing to receive. The next message
    /// makes the descriptor readable again, so the event loop need not ask, unless somebody wants to know of writing.
    func foundNothing() { isUsed = registrations.contains { $0.isWriting } }

    func add(_ registration: Registration) { registrations.append(registration) }

    func remove(_ registration: Registration) { registrations.removeAll { $0 === registration } }
}
