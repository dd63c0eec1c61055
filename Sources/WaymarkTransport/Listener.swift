// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// How many clients may connect to a service's socket, and how they prove their identity.
public struct ConnectionRule: Sendable {
    let most: Int
    let security: SocketSecurity?

    /// - Parameters:
    ///   - most: the maximum number of simultaneous connections. Further connections are closed.
    ///   - security: how clients prove their identity. If nil, everybody may connect, without encryption.
    public init(most: Int = .max, security: SocketSecurity? = nil) { (self.most, self.security) = (most, security) }
}

/// A service's bound socket, which limits its number of connections.
///
/// A listener lives on the event loop of its owner, and ends with ``close()``. Messages that wait at that time are
/// still sent before the last reference to the listener is released.
final class Listener {
    let socket: Socket
    /// The endpoint that the socket is bound to. If the port was left open, this is the chosen port.
    private(set) var endpoint = ""
    /// Called on the event loop with each event of a connection. `isNew` is whether it is a new connection that was
    /// kept.
    var onEvent: (_ event: SocketEvent, _ isNew: Bool) -> Void = { _, _ in }
    private(set) var handshakesFailed: UInt64 = 0
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// Limits the connections; nil before binding and after ``close()``.
    private(set) var gate: ConnectionGate?

    /// - Throws: `ZeroMQError` if the endpoint cannot be bound.
    init(
        _ kind: Socket.Kind, at endpoint: String, loop: EventLoop, context: Context, options: SocketOptions,
        rule: ConnectionRule
    ) throws(ZeroMQError) {
        var options = options
        options.security = rule.security
        options.ipv6 = EndpointFamily.isIPv6(endpoint)
        socket = try Socket(kind, context: context, options: options)
        // Start the monitor before binding, because it would miss a client that connects at once.
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in
            guard let self else { return }
            if case .handshakeFailed = event { handshakesFailed += 1 }
            onEvent(event, gate?.noticed(event) == true)
        }
        self.endpoint = try socket.bind(endpoint)
        gate = ConnectionGate(limit: rule.most, endpoint: self.endpoint)
    }

    var connections: UInt64 { UInt64(gate?.open ?? 0) }
    var turnedAway: UInt64 { gate?.turnedAway ?? 0 }

    /// Calls `onReadable` whenever messages wait.
    func start(on loop: EventLoop, onReadable: @escaping () -> Void) {
        watch = loop.watch(socket, onReadable: onReadable)
    }

    func stopReceiving() {
        watch?.cancel()
        watch = nil
    }

    /// Handles all pending events of connections now, by calling ``onEvent`` for each.
    func catchUp() { monitor?.catchUp() }

    func close() {
        stopReceiving()
        monitor?.cancel()
        (monitor, gate) = (nil, nil)
    }
}
