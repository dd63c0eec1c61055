// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

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
    /// Whether the socket's context was shut down. If so, the handler is called once more and then no longer.
    var isLast = false

    var isReading = true { didSet { change() } }
    var isWriting = false { didSet { change() } }

    var events: Int16 { Int16((isReading ? ZMQ_POLLIN : 0) | (isWriting ? ZMQ_POLLOUT : 0)) }

    init(_ shared: SharedSocket, _ loop: EventLoop, _ onReadable: @escaping () -> Void, _ onWritable: (() -> Void)?) {
        self.shared = shared
        self.loop = loop
        self.onReadable = onReadable
        self.onWritable = onWritable
    }

    func call(_ revents: Int16) {
        if isActive, Int32(revents) & ZMQ_POLLOUT != 0, isWriting { onWritable?() }
        if isActive, Int32(revents) & ZMQ_POLLIN != 0, isReading || isLast { onReadable?() }
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
        loop.turns.markChanged()
    }
}
