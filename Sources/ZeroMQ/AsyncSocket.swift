// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A socket for tasks: receiving and sending suspend the task instead of blocking a thread. Messages wait only in
/// libzmq's queues, because the socket adds none.
///
/// The socket lives on an event loop, which makes, uses and closes it; any thread may hold a reference and release it.
/// One task may receive while another one sends. A further task gets ``ZeroMQError/Code/busy``, because tasks that
/// waited for their turn would form a queue without a limit.
///
/// While no task receives, messages wait in libzmq's queue, up to ``SocketOptions/receiveHighWaterMark``. Then libzmq
/// stops reading, and the sender's own queue fills. With ``SocketOptions/client`` there is no such limit.
///
/// Each call switches to the event loop and back. Code that handles many messages should live on the event loop itself,
/// as an actor with a ``Socket``.
public actor AsyncSocket {
    /// The event loop on whose thread the socket lives.
    public nonisolated let loop: EventLoop
    /// The messaging pattern of the socket.
    public nonisolated let kind: Socket.Kind
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var socket: Socket?
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// The sides that a task has claimed, to receive or to send. At most one task may claim each.
    var claims: Set<Side> = []
    /// The tasks that wait.
    var waiters: [Side: CheckedContinuation<Void, Never>] = [:]

    /// Opens a socket on the event loop. Throws as ``Socket/init(_:context:options:)`` does.
    public init(
        _ kind: Socket.Kind, context: Context, on loop: EventLoop, options: SocketOptions = SocketOptions()
    ) async throws(ZeroMQError) {
        self.kind = kind
        self.loop = loop
        // This call is isolated: an actor's async initialiser runs on the actor once its properties are set.
        try open(context, options)
    }

    /// Listens as ``Socket/bind(_:)`` does.
    @discardableResult
    public func bind(_ endpoint: String) throws(ZeroMQError) -> String {
        try checkOpen("zmq_bind")
        return try socket!.bind(endpoint)
    }

    /// Connects as ``Socket/connect(_:)`` does.
    public func connect(_ endpoint: String) throws(ZeroMQError) {
        try checkOpen("zmq_connect")
        try socket!.connect(endpoint)
    }

    /// Ends a connection as ``Socket/disconnect(_:)`` does.
    public func disconnect(_ endpoint: String) throws(ZeroMQError) {
        try checkOpen("zmq_disconnect")
        try socket!.disconnect(endpoint)
    }

    /// Stops listening as ``Socket/unbind(_:)`` does.
    public func unbind(_ endpoint: String) throws(ZeroMQError) {
        try checkOpen("zmq_unbind")
        try socket!.unbind(endpoint)
    }

    /// Subscribes to a topic in UTF-8, as ``Socket/subscribe(_:)`` does. The empty topic stands for all messages.
    public func subscribe(_ topic: String) throws(ZeroMQError) {
        try checkOpen("ZMQ_SUBSCRIBE")
        try socket!.subscribe(Array(topic.utf8))
    }

    /// Reverses one ``subscribe(_:)`` to this topic.
    public func unsubscribe(_ topic: String) throws(ZeroMQError) {
        try checkOpen("ZMQ_UNSUBSCRIBE")
        try socket!.unsubscribe(Array(topic.utf8))
    }

    /// Reports the events of the connections from now on, through a ``SocketMonitor``. Call it once, before
    /// ``bind(_:)`` and ``connect(_:)``.
    ///
    /// - Parameter onEvent: called on the event loop's thread; must be short and must not block.
    public func monitor(
        _ onEvent: @escaping @Sendable (_ event: SocketEvent, _ endpoint: String) -> Void
    ) throws(ZeroMQError) {
        try checkOpen("zmq_socket_monitor")
        monitor = try SocketMonitor(socket!, on: loop, onEvent: onEvent)
    }

    /// Closes the socket. A task that waits for the socket gets ``ZeroMQError/Code/closed``, and ``messages`` ends.
    public func close() {
        watch = nil
        socket = nil
        wake(.receiving)
        wake(.sending)
    }

    var isOpen: Bool { socket != nil }

    /// Whether the event loop checks the socket for input. For tests only.
    var isReading: Bool { watch?.isReading == true }

    /// Throws ``ZeroMQError/Code/closed`` after ``close()``.
    func checkOpen(_ operation: String) throws(ZeroMQError) {
        if socket == nil { throw ZeroMQError(operation, code: .closed, errno: ENOTSOCK) }
    }

    func receive(into message: inout Message) throws(ZeroMQError) -> Bool { try socket!.receive(into: &message) }

    func offer(_ message: inout Message) throws(ZeroMQError) -> SendOutcome { try socket!.send(&message) }

    /// Makes the event loop report once when the socket is ready for this side.
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
        // The watch is level-triggered. It stays on while a task receives message after message, and is turned off when
        // a message waits but no task does.
        if !wake(.receiving) { watch?.isReading = false }
    }

    private func becameWritable() {
        watch?.isWriting = false
        wake(.sending)
    }
}
