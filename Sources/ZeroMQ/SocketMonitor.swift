// SPDX-License-Identifier: Apache-2.0

/// Reports what happens to the connections of one socket, on the same loop.
///
/// Attach it before the socket binds or connects. It ends with ``cancel()`` or with its own end; if the socket closes
/// first, ``SocketEvent/stopped`` is the last event. Not Sendable: belongs to the loop's thread, like the socket. Its owner
/// may let go of it on any thread.
public final class SocketMonitor {
    private let source: MonitorSource
    private let loop: EventLoop

    /// Begins to report. `onEvent` is called on the loop with the event and the endpoint that it is about.
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

    /// Reports what has happened so far, before this returns. A message that was received before came by a connection
    /// whose beginning is reported by then.
    public func catchUp() { source.receive() }

    /// Ends the monitor: it reports nothing more.
    public func cancel() { source.cancel() }

    /// The same for an actor that lives on this loop: `onEvent` runs isolated to it, and does not keep it alive.
    public convenience init<Owner: Actor>(
        _ socket: borrowing Socket, on loop: EventLoop, for owner: isolated Owner,
        onEvent: @escaping @Sendable (_ owner: isolated Owner, _ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        try self.init(socket, on: loop) { [weak owner] event, endpoint in
            owner?.assumeIsolated { onEvent($0, event, endpoint) }
        }
    }
}
