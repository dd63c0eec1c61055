// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A socket for tasks: receiving and sending wait without blocking a thread, and nothing is queued beside libzmq's queues.
///
/// It lives on its loop, which makes, uses and closes the socket; it may be held and let go of anywhere. One task may
/// receive and one may send at the same time; another one gets ``ZeroMQError/Code/busy``, because tasks that wait for
/// their turn would be a queue without a limit.
///
/// While nobody receives, messages wait in libzmq's queue, up to ``SocketOptions/receiveHighWaterMark``; then libzmq stops
/// reading and the sender's own queue fills. ``SocketOptions/client`` has no such limit.
///
/// Each call is a hop to the loop and back. Code that handles many messages lives on the loop itself, as an actor with a
/// ``Socket``.
public actor AsyncSocket {
    /// The loop on whose thread it lives.
    public nonisolated let loop: EventLoop
    /// The pattern that it speaks.
    public nonisolated let kind: Socket.Kind
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// For each ``Side`` one.
    var waiters = [Waiter(), Waiter()]

    /// Opens a socket on the loop. Throws what ``Socket/init(_:context:options:)`` throws.
    public init(
        _ kind: Socket.Kind, context: Context, on loop: EventLoop, options: SocketOptions = SocketOptions()
    ) async throws(ZeroMQError) {
        self.kind = kind
        self.loop = loop
        // An actor's async initialiser runs on the actor once its properties are set: the socket is made there.
        try open(context, options)
    }

    /// As ``Socket/bind(_:)``.
    @discardableResult
    public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        try checkOpen("zmq_bind")
        return try socket!.bind(endpoint)
    }

    /// As ``Socket/connect(_:)``.
    public func connect(_ endpoint: String) throws(ZeroMQError) {
        try checkOpen("zmq_connect")
        try socket!.connect(endpoint)
    }

    /// As ``Socket/disconnect(_:)``.
    public func disconnect(_ endpoint: String) throws(ZeroMQError) {
        try checkOpen("zmq_disconnect")
        try socket!.disconnect(endpoint)
    }

    /// As ``Socket/unbind(_:)``.
    public func unbind(_ endpoint: String) throws(ZeroMQError) {
        try checkOpen("zmq_unbind")
        try socket!.unbind(endpoint)
    }

    /// As ``Socket/subscribe(_:)``, with the topic in UTF-8. The empty topic stands for all messages.
    public func subscribe(_ topic: String) throws(ZeroMQError) {
        try checkOpen("ZMQ_SUBSCRIBE")
        try socket!.subscribe(Array(topic.utf8))
    }

    /// As ``Socket/unsubscribe(_:)``, with the topic in UTF-8.
    public func unsubscribe(_ topic: String) throws(ZeroMQError) {
        try checkOpen("ZMQ_UNSUBSCRIBE")
        try socket!.unsubscribe(Array(topic.utf8))
    }

    /// Reports what happens to the connections from now on, as a ``SocketMonitor``; before ``bind(_:)`` and
    /// ``connect(_:)``, and once.
    ///
    /// - Parameter onEvent: called on the loop's thread: short, and nothing that waits.
    public func monitor(
        _ onEvent: @escaping @Sendable (_ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        try checkOpen("zmq_socket_monitor")
        monitor = try SocketMonitor(socket!, on: loop, onEvent: onEvent)
    }

    /// Closes the socket. Whoever waits on it gets ``ZeroMQError/Code/closed``, and ``messages`` ends.
    public func close() {
        watch = nil
        socket = nil
        wake(.receiving)
        wake(.sending)
    }

    var isOpen: Bool { socket != nil }

    /// Whether the loop looks for input; for tests.
    var isReading: Bool { watch?.isReading == true }

    /// Throws ``ZeroMQError/Code/closed`` after ``close()``.
    func checkOpen(_ operation: String) throws(ZeroMQError) {
        if socket == nil { throw ZeroMQError(operation, code: .closed, errno: ENOTSOCK) }
    }

    func receive(into message: inout Message) throws(ZeroMQError) -> Bool { try socket!.receive(into: &message) }

    func offer(_ message: inout Message) throws(ZeroMQError) -> SendOutcome { try socket!.send(&message) }

    /// The loop calls for input, or for room, once.
    func ask(for side: Side) {
        switch side {
        case .receiving: watch?.isReading = true
        case .sending: watch?.isWriting = true
        }
    }

    private func open(_ context: Context, _ options: SocketOptions) throws(ZeroMQError) {
        let socket = try Socket(kind, context: context, options: options)
        let watch = loop.watch(
            socket, for: self, onReadable: { $0.becameReadable() }, onWritable: { $0.becameWritable() })
        watch.isReading = false
        self.watch = watch
        self.socket = consume socket
    }

    private func becameReadable() {
        // Level-triggered: stays on while a task receives one message after the other, and off while nobody does.
        if !wake(.receiving) { watch?.isReading = false }
    }

    private func becameWritable() {
        watch?.isWriting = false
        wake(.sending)
    }
}
