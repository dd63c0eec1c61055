// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

/// A client's socket, which connects to one endpoint, and the state of its connection.
///
/// A connection lives on the event loop of its owner, and ends with ``close()``.
final class Connection {
    let socket: Socket
    /// Whether there is a connection, and if not, why.
    private(set) var reach: ConnectionReach
    /// The latest message received. The same `Message` receives every message, so that its memory is reused.
    private(set) var incoming = Message()
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    private var greeting: GreetingProbe?

    /// - Parameters:
    ///   - topic: the topic to subscribe to, for a `sub` socket.
    ///   - onNews: called on the event loop when the state of the connection changes, after ``reach`` was updated.
    init(
        _ kind: Socket.Kind, to endpoint: String, loop: EventLoop, context: Context, security: SocketSecurity?,
        topic: [UInt8]? = nil, onNews: @escaping (ConnectionReach.News) -> Void = { _ in }
    ) throws(ZeroMQError) {
        var options = SocketOptions.client
        options.maxMessageSize = WaymarkProtocol.messageBytes
        options.security = security
        options.ioThread = IOThreads.others
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        socket = try Socket(kind, context: context, options: options)
        reach = ConnectionReach(endpoint, isSecured: security != nil)
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in
            guard let self else { return }
            if let news = reach.noticed(event) { onNews(news) }
            guard reach.wantsGreeting, greeting == nil else { return }
            greeting = try? GreetingProbe(endpoint, loop: loop, context: context) { [weak self] mechanism in
                self?.greeting = nil
                if let mechanism, let news = self?.reach.greeted(with: mechanism) { onNews(news) }
            }
        }
        if let topic { try socket.subscribe(topic) }
        try socket.connect(endpoint)
    }

    /// Starts receiving: calls `onReadable` on the event loop whenever messages wait.
    func start(on loop: EventLoop, onReadable: @escaping () -> Void, onWritable: (() -> Void)? = nil) {
        watch = loop.watch(socket, onReadable: onReadable, onWritable: onWritable)
    }

    /// Whether the socket receives, which is the case from ``start(on:onReadable:onWritable:)`` until ``close()``.
    var isOpen: Bool { watch != nil }

    /// Whether `onWritable` is called when the socket accepts messages again.
    var isWriting: Bool {
        get { watch?.isWriting == true }
        set { watch?.isWriting = newValue }
    }

    /// Receives the next message into ``incoming``.
    ///
    /// - Returns: false if no message waits, or if the socket is not open.
    func receive() -> Bool { isOpen && (try? socket.receive(into: &incoming)) == true }

    func close() {
        watch?.cancel()
        monitor?.cancel()
        greeting?.cancel()
        (watch, monitor, greeting) = (nil, nil, nil)
    }
}
