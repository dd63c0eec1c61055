// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// The handlers that an event loop calls when one socket is ready. A watch ends with ``cancel()``, when it is released,
/// or when the socket closes, so that a closed socket is never polled.
///
/// Not Sendable, because it belongs to the event loop's thread, like the socket; but any thread may release it.
public final class SocketWatch {
    private let registration: Registration

    init(_ registration: Registration) { self.registration = registration }

    deinit { registration.loop.end(registration) { $0.cancel() } }

    /// Whether the event loop calls `onReadable`. While `false`, input waits in libzmq, up to the receive high-water
    /// mark.
    public var isReading: Bool {
        get { registration.isReading }
        set { registration.isReading = newValue }
    }

    /// Whether the event loop calls `onWritable` while a send would succeed. Level-triggered like input, so set it only
    /// while something waits to be sent.
    public var isWriting: Bool {
        get { registration.isWriting }
        set { registration.isWriting = newValue }
    }

    /// Ends the watch, so that its handlers are not called any more.
    public func cancel() { registration.cancel() }
}

/// The part of a ``SocketWatch`` that only the event loop uses.
final class Registration {
    let shared: SharedSocket
    let loop: EventLoop
    private var onReadable: (() -> Void)?
    private var onWritable: (() -> Void)?
    private(set) var isActive = true
    /// The events that the event loop found in this turn.
    private(set) var found: Int32 = 0
    /// Whether the socket's context was shut down. If so, the handler is called once more and then no longer.
    private var isLast = false

    var isReading = true { didSet { change() } }
    var isWriting = false { didSet { change() } }

    private var events: Int32 { (isReading ? ZMQ_POLLIN : 0) | (isWriting ? ZMQ_POLLOUT : 0) }

    init(_ shared: SharedSocket, _ loop: EventLoop, _ onReadable: @escaping () -> Void, _ onWritable: (() -> Void)?) {
        self.shared = shared
        self.loop = loop
        self.onReadable = onReadable
        self.onWritable = onWritable
    }

    /// Asks the socket which events it has. If its context was shut down, the handler is called once more, so that it
    /// encounters the error where it can act on it. Then the socket is no longer watched.
    func ask() {
        var (present, size): (Int32, Int) = (0, MemoryLayout<Int32>.size)
        while zmq_getsockopt(shared.bare, ZMQ_EVENTS, &present, &size) != 0 {
            let number = zmq_errno()
            precondition(number == ETERM || number == EINTR, "ZMQ_EVENTS: errno \(number)")
            guard number == ETERM else { continue }
            isLast = true
            found = ZMQ_POLLIN
            return
        }
        found = present & events
    }

    func call() {
        // While there is something to receive, the next turn asks again, because the descriptor may be clear.
        shared.isUsed = true
        let found = found
        self.found = 0
        if isActive, found & ZMQ_POLLOUT != 0, isWriting { onWritable?() }
        if isActive, found & ZMQ_POLLIN != 0, isReading || isLast { onReadable?() }
        if isLast { cancel() }
    }

    func cancel() {
        guard isActive else { return }
        precondition(
            loop.isCurrent,
            """
            a watch of the loop \(loop.name) was cancelled on another thread: cancel it in a method of the actor that \
            lives on the loop, or let go of it
            """)
        end()
        shared.remove(self)
        loop.turns.markChanged()
    }

    /// Releases the handlers, which often keep their owner alive.
    func end() {
        isActive = false
        onReadable = nil
        onWritable = nil
    }

    private func change() {
        guard isActive else { return }
        loop.checkIsolated()
        shared.isUsed = true
    }
}
