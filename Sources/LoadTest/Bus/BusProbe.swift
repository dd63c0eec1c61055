// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Connects once before the load starts, to learn from libzmq whether a peer is there. The sockets that carry the load
/// cannot tell: without a connection most sockets queue messages, and PUB drops them silently.
public actor BusProbe {
    /// The time within which a peer must appear, because a service that is started together with the test needs a
    /// moment. Once its port is open, the handshake may take ten times as long.
    private static let patience = Duration.seconds(3)

    private let loop: EventLoop
    private var socket: Socket?
    private var reach = BusReach()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Returns once a peer at the endpoint has completed the handshake.
    ///
    /// - Parameters:
    ///   - kind: the type of the socket that connects.
    ///   - security: the security of this end.
    ///   - stop: ends the waiting early.
    /// - Throws: ``BusPeerError``; ``BusStreamError/ended`` if `stop` was asked for; `ZeroMQError`.
    public static func meet(
        _ kind: Socket.Kind, at endpoint: String, security: SocketSecurity? = nil, stop: LoadStop
    ) async throws {
        let options = try await LoadThread.run { BusTarget(security: security).options(for: endpoint) }
        let reach = try await withEventLoop("probe") { try await BusProbe($0).meet(kind, endpoint, options, stop) }
        if reach.isMet { return }
        if stop.isAsked { throw BusStreamError.ended }
        throw BusPeerError(endpoint: endpoint, reason: reach.reason, security: security)
    }

    private func meet(
        _ kind: Socket.Kind, _ endpoint: String, _ options: SocketOptions, _ stop: LoadStop
    ) async throws -> BusReach {
        let socket = try Socket(kind, context: Context(), options: options)
        let monitor = try SocketMonitor(socket, on: loop, for: self) { probe, event, _ in probe.reach.noticed(event) }
        try socket.connect(endpoint)
        self.socket = consume socket
        let begun = ContinuousClock.now
        // `stop` is polled, because it is only a flag that wakes nobody: generators check it with each message.
        loop.schedule(every: .milliseconds(20)) {}
        await loop.wait {
            // A busy machine needs longer for a handshake than for refusing a connection.
            self.reach.isSettled || stop.isAsked
                || ContinuousClock.now - begun > Self.patience * (self.reach.isPromising ? 10 : 1)
        }
        monitor.cancel()
        self.socket = nil
        return reach
    }
}
