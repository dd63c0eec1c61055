// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// How many clients may connect to a service's socket, and how they prove their identity.
public struct ConnectionRule: Sendable {
    let most: Int
    let security: SocketSecurity?

    /// - Parameters:
    ///   - most: the most connections at once. Further ones are closed.
    ///   - security: nil lets everybody connect, without encryption.
    public init(most: Int = .max, security: SocketSecurity? = nil) { (self.most, self.security) = (most, security) }
}

/// A service's socket with its limit of connections.
///
/// A listener lives on the loop of its owner, and ends with ``close()``. Messages that wait to be sent then still leave
/// before the release of its last owner.
final class Listener {
    let socket: Socket
    /// The endpoint that the socket is bound to, with the chosen port if it was left open.
    private(set) var endpoint = ""
    /// Called on the loop with each event of a connection; `isNew` marks a new connection that was kept.
    var onEvent: (_ event: SocketEvent, _ isNew: Bool) -> Void = { _, _ in }
    private var watch: SocketWatch?
    private var monitor: SocketMonitor?
    /// Nil before binding and after the end.
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
        // Start the monitor before binding: a client that connects at once would be missed.
        monitor = try SocketMonitor(socket, on: loop) { [weak self] event, _ in
            guard let self else { return }
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

    /// Reports all pending events of connections to ``onEvent``.
    func catchUp() { monitor?.catchUp() }

    func close() {
        stopReceiving()
        monitor?.cancel()
        (monitor, gate) = (nil, nil)
    }
}
