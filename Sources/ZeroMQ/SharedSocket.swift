// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// What a ``Socket`` shares with its watches and its monitor: whether it is still open.
///
/// Not Sendable: all of them live on one thread.
final class SharedSocket {
    let handle: UnsafeMutableRawPointer
    let thread = waymark_gettid()
    private(set) var isOpen = true
    private var registrations: [Registration] = []
    /// Held so that a context is never terminated under an open socket, which would wait for it for ever.
    let context: Context

    init(_ kind: Socket.Kind, context: Context) throws(ZeroMQError) {
        handle = try context.makeSocket(kind)
        self.context = context
    }

    deinit { close() }

    /// A loop that polls a closed socket is undefined behaviour in libzmq, so closing takes it off the loop first.
    func close() {
        guard isOpen else { return }
        for registration in registrations { registration.cancel() }
        isOpen = false
        zmq_close(handle)
    }

    func add(_ registration: Registration) { registrations.append(registration) }

    func remove(_ registration: Registration) { registrations.removeAll { $0 === registration } }
}
