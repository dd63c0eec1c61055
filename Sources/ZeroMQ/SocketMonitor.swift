// SPDX-License-Identifier: Apache-2.0

/// Reports the events of one socket's connections, on the event loop of that socket.
///
/// Create the monitor before the socket binds or connects. The monitor ends with ``cancel()`` or when it is released.
/// If the socket closes first, ``SocketEvent/stopped`` is the last event. Not Sendable, because it belongs to the event
/// loop's thread, like the socket; but any thread may release it.
public final class SocketMonitor {
    private let source: MonitorSource
    private let loop: EventLoop

    /// Begins to report. `onEvent` is called on the event loop with each event and its endpoint.
    ///
    /// - Precondition: this is the event loop's thread, and the socket has no monitor yet.
    public init(
        _ socket: borrowing Socket, on loop: EventLoop,
        onEvent: @escaping (_ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        self.loop = loop
        source = try MonitorSource(socket.shared, on: loop, onEvent: onEvent)
    }

    deinit { loop.end(source) { $0.cancel() } }

    /// Reports all pending events before returning. So if a message was received before this call, the beginning of its
    /// connection has been reported when this call returns.
    public func catchUp() { source.receive() }

    /// Ends the monitor, so that it reports nothing more.
    public func cancel() { source.cancel() }

    /// Monitors a socket for an actor that lives on this event loop. `onEvent` does not keep the actor alive.
    public convenience init<Owner: Actor>(
        _ socket: borrowing Socket, on loop: EventLoop, for owner: isolated Owner,
        onEvent: @escaping @Sendable (_ owner: isolated Owner, _ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        try self.init(socket, on: loop) { [weak owner] event, endpoint in
            owner?.assumeIsolated { onEvent($0, event, endpoint) }
        }
    }
}
