// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension EventLoop {
    /// Calls `onReadable` whenever the socket has input. Only on the event loop's thread, and for a socket made there.
    ///
    /// Level-triggered: while there is more input, `onReadable` is called again in the next turn, so it may take a
    /// limited number of messages and return. `onWritable` is called only while ``SocketWatch/isWriting`` is `true`.
    /// When the context is shut down, `onReadable` is called one last time, so that it encounters
    /// ``ZeroMQError/Code/terminated``.
    ///
    /// Both closures are kept until the watch ends, so a closure that holds its owner strongly keeps the owner alive
    /// until then. See ``watch(_:for:onReadable:onWritable:)``.
    public func watch(
        _ socket: borrowing Socket, onReadable: @escaping () -> Void, onWritable: (() -> Void)? = nil
    ) -> SocketWatch {
        checkIsolated()
        let isOwn = turns.isOver || socket.shared.thread.isThread(thread.load(ordering: .relaxed))
        precondition(isOwn, "a socket is watched by the loop on whose thread it was made")
        let registration = Registration(socket.shared, self, onReadable, onWritable)
        turns.add(registration)
        // An earlier watch may have cleared the descriptor and left messages.
        socket.shared.isUsed = true
        if registration.isActive { socket.shared.add(registration) }
        return SocketWatch(registration)
    }

    /// Watches a socket for an actor that lives on this event loop. The handlers do not keep it alive.
    public func watch<Owner: Actor>(
        _ socket: borrowing Socket, for owner: isolated Owner, onReadable: @escaping @Sendable (isolated Owner) -> Void,
        onWritable: (@Sendable (isolated Owner) -> Void)? = nil
    ) -> SocketWatch {
        let readable: () -> Void = { [weak owner] in owner?.assumeIsolated { onReadable($0) } }
        guard let onWritable else { return watch(socket, onReadable: readable) }
        return watch(
            socket, onReadable: readable, onWritable: { [weak owner] in owner?.assumeIsolated { onWritable($0) } })
    }
}
