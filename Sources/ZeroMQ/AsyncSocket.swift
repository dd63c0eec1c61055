// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A socket for tasks: receiving and sending wait without blocking a thread, and libzmq's queues are the only ones.
///
/// The socket lives on its loop, which makes, uses and closes it; any thread may hold a reference and release it. One
/// task may receive and one may send at the same time; a third gets ``ZeroMQError/Code/busy``, because tasks that wait
/// for their turn would be a queue without a limit.
///
/// While no task receives, messages wait in libzmq's queue, up to ``SocketOptions/receiveHighWaterMark``; then libzmq
/// stops reading and the sender's own queue fills. ``SocketOptions/client`` has no such limit.
///
/// Each call is a hop to the loop and back. Code that handles many messages lives on the loop itself, as an actor with
/// a ``Socket``.
public actor AsyncSocket {
    /// The loop on whose thread the socket lives.
    public nonisolated let loop: EventLoop
    /// The messaging pattern of the socket.
    public nonisolated let kind: Socket.Kind
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// One waiter for each ``Side``.
    var waiters = [Waiter(), Waiter()]

    /// Opens a socket on the loop. Throws what ``Socket/init(_:context:options:)`` throws.
    public init(
        _ kind: Socket.Kind, context: Context, on loop: EventLoop, options: SocketOptions = SocketOptions()
    ) async throws(ZeroMQError) {
        self.kind = kind
        self.loop = loop
        // Opening here is isolated: an actor's async initialiser runs on the actor once its properties are set.
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

    /// Reports the events of the connections from now on, as a ``SocketMonitor``. Call it once, before ``bind(_:)`` and
    /// ``connect(_:)``.
    ///
    /// - Parameter onEvent: called on the loop's thread; must be short and must not block.
    public func monitor(
        _ onEvent: @escaping @Sendable (_ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        try checkOpen("zmq_socket_monitor")
        monitor = try SocketMonitor(socket!, on: loop, onEvent: onEvent)
    }

    /// Closes the socket. A task that waits on it gets ``ZeroMQError/Code/closed``, and ``messages`` ends.
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

    /// Makes the loop report readiness of this side once.
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
        // The watch is level-triggered: it stays on while a task receives message after message, and is turned off when
        // no task waits.
        if !wake(.receiving) { watch?.isReading = false }
    }

    private func becameWritable() {
        watch?.isWriting = false
        wake(.sending)
    }
}
