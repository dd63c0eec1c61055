// SPDX-License-Identifier: Apache-2.0

/// Reports the events of one socket's connections, on the same loop.
///
/// Attach the monitor before the socket binds or connects. It ends with ``cancel()`` or with its own release; if the
/// socket closes first, ``SocketEvent/stopped`` is the last event. Not Sendable: belongs to the loop's thread, like the
/// socket. Its owner may release it on any thread.
public final class SocketMonitor {
    private let source: MonitorSource
    private let loop: EventLoop

    /// Begins to report. `onEvent` is called on the loop with the event and the endpoint concerned.
    ///
    /// - Precondition: this is the loop's thread, and the socket has no monitor yet.
    public init(
        _ socket: borrowing Socket, on loop: EventLoop,
        onEvent: @escaping (_ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        self.loop = loop
        source = try MonitorSource(socket.shared, on: loop, onEvent: onEvent)
    }

    deinit { loop.end(source) { $0.cancel() } }

    /// Reports all pending events before it returns. A message received before this call came by a connection whose
    /// beginning has then been reported.
    public func catchUp() { source.receive() }

    /// Ends the monitor: it reports nothing more.
    public func cancel() { source.cancel() }

    /// Monitors a socket for an actor that lives on this loop: `onEvent` runs isolated to the actor and does not keep
    /// it alive.
    public convenience init<Owner: Actor>(
        _ socket: borrowing Socket, on loop: EventLoop, for owner: isolated Owner,
        onEvent: @escaping @Sendable (_ owner: isolated Owner, _ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        try self.init(socket, on: loop) { [weak owner] event, endpoint in
            owner?.assumeIsolated { onEvent($0, event, endpoint) }
        }
    }
}
