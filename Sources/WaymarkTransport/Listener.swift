// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// How many may connect to a service's socket, and how they prove who they are.
public struct ConnectionRule: Sendable {
    let most: Int
    let security: SocketSecurity?

    /// - Parameters:
    ///   - most: the most connections at once. A further one is closed.
    ///   - security: nil: everybody may connect, and nothing is encrypted.
    public init(most: Int = .max, security: SocketSecurity? = nil) { (self.most, self.security) = (most, security) }
}

/// A service's socket: what arrives by it, and how many may connect.
///
/// It lives on the loop of its owner, and ends with ``close()``. What waits to be sent then leaves before its last owner's
/// end.
final class Listener {
    let socket: Socket
    /// The endpoint that it is bound to, with the chosen port if it was left open.
    private(set) var endpoint = ""
    /// Called on the loop with each event of a connection, and whether that is a new one, which stays.
    var onEvent: (_ event: SocketEvent, _ isNew: Bool) -> Void = { _, _ in }
    private(set) var handshakesFailed: UInt64 = 0
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// Nil until it is bound, and after the end.
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
        // Before it is bound: what connects at once would not be known.
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

    /// Reports to ``onEvent`` what has happened to connections so far.
    func catchUp() { monitor?.catchUp() }

    func close() {
        stopReceiving()
        monitor?.cancel()
        (monitor, gate) = (nil, nil)
    }
}
