// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// What a ``Socket`` shares with its watches and its monitor: whether it is still open.
///
/// Not Sendable: all of them live on one thread.
final class SharedSocket {
    /// For the loop that watches it, on its own thread. Whoever else uses the socket takes ``handle``.
    let bare: UnsafeMutableRawPointer
    let thread = SocketThread()
    /// The loop on whose thread the socket was made; `nil` on a thread without one.
    private let loop = EventLoop.threads.current
    private(set) var isOpen = true
    /// Whether libzmq reports its events to somebody.
    var isMonitored = false
    private var registrations: [Registration] = []
    /// Held so that a context is never terminated under an open socket, which would wait for it for ever.
    let context: Context

    init(_ kind: Socket.Kind, context: Context) throws(ZeroMQError) {
        bare = try context.makeSocket(kind)
        self.context = context
    }

    deinit { close() }

    /// libzmq's handle, for one call.
    ///
    /// - Precondition: on the thread that made the socket.
    var handle: UnsafeMutableRawPointer {
        @inline(__always) get {
            thread.check()
            return bare
        }
    }

    /// Closes the socket for an owner that lets go of it. On another thread than the loop's the loop does it in its next
    /// turn; a socket of a thread without a loop has to be let go of there.
    func letGo() {
        guard let loop else { return close() }
        loop.end(self) { $0.close() }
    }

    /// A loop that polls a closed socket is undefined behaviour in libzmq, so closing takes it off the loop first.
    func close() {
        guard isOpen else { return }
        for registration in registrations { registration.cancel() }
        isOpen = false
        // Each only on its thread. libzmq closes a socket later, in a thread of its own, and would report that to a monitor
        // which may be gone by then: that thread would wait for ever, and all sockets of the context with it.
        if isMonitored { zmq_socket_monitor(handle, nil, 0) }
        zmq_close(handle)
    }

    func add(_ registration: Registration) { registrations.append(registration) }

    func remove(_ registration: Registration) { registrations.removeAll { $0 === registration } }
}
