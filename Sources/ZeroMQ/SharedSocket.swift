// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// The state that a ``Socket`` shares with its watches and its monitor: whether it is still open.
///
/// Not Sendable: all of them live on one thread.
final class SharedSocket {
    /// libzmq's handle, unchecked, for the loop that watches the socket on its own thread. All other code uses
    /// ``handle``.
    let bare: UnsafeMutableRawPointer
    let thread = SocketThread()
    /// The loop on whose thread the socket was made; `nil` on a thread without one.
    private let loop = EventLoop.threads.current
    private(set) var isOpen = true
    /// Whether the socket has a monitor.
    var isMonitored = false
    private var registrations: [Registration] = []
    /// Held so that a context is never terminated under an open socket, for which it would wait for ever.
    let context: Context

    init(_ kind: Socket.Kind, context: Context) throws(ZeroMQError) {
        bare = try context.makeSocket(kind)
        self.context = context
    }

    deinit { close() }

    /// libzmq's handle, for one call.
    ///
    /// - Precondition: the caller runs on the thread that made the socket.
    var handle: UnsafeMutableRawPointer {
        @inline(__always) get {
            thread.check()
            return bare
        }
    }

    /// Closes the socket when its owner is released. On another thread, the loop closes it in its next turn; a socket
    /// made on a thread without a loop has to be released on that thread.
    func letGo() {
        guard let loop else { return close() }
        loop.end(self) { $0.close() }
    }

    /// Takes the socket off the loop and closes it: in libzmq, polling a closed socket is undefined behaviour.
    func close() {
        guard isOpen else { return }
        for registration in registrations { registration.cancel() }
        isOpen = false
        // Stop monitoring before closing, on the same thread. libzmq closes a socket later, in a thread of its own, and
        // would report that to a monitor which may be gone by then: that thread would wait for ever, and all sockets of
        // the context with it.
        if isMonitored { zmq_socket_monitor(handle, nil, 0) }
        zmq_close(handle)
    }

    func add(_ registration: Registration) { registrations.append(registration) }

    func remove(_ registration: Registration) { registrations.removeAll { $0 === registration } }
}
