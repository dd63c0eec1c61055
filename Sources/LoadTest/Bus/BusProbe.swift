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
    private var monitor: SocketMonitor?

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
        let (events, told) = AsyncStream.makeStream(of: SocketEvent.self)
        let reach = try await withEventLoop("probe") { loop in
            let probe = BusProbe(loop)
            try await probe.connect(kind, endpoint, options, told)
            let isThere = Locked(false)
            let waiting = Task {
                let begun = ContinuousClock.now
                // A busy machine needs longer for a handshake than for refusing a connection. `stop` is polled, because
                // it is only a flag that wakes nobody: generators check it with each message.
                while !stop.isAsked, !Task.isCancelled,
                    ContinuousClock.now - begun < Self.patience * (isThere.withLock(\.self) ? 10 : 1)
                {
                    try? await Task.sleep(for: .milliseconds(20))
                }
                told.finish()
            }
            var reach = BusReach()
            for await event in events {
                reach.noticed(event)
                let isPromising = reach.isPromising
                isThere.withLock { $0 = isPromising }
                if reach.isSettled { break }
            }
            waiting.cancel()
            await probe.close()
            return reach
        }
        if reach.isMet { return }
        if stop.isAsked { throw BusStreamError.ended }
        throw BusPeerError(endpoint: endpoint, reason: reach.reason, security: security)
    }

    private func connect(
        _ kind: Socket.Kind, _ endpoint: String, _ options: SocketOptions,
        _ told: AsyncStream<SocketEvent>.Continuation
    ) throws(ZeroMQError) {
        let socket = try Socket(kind, context: Context(), options: options)
        let monitor = try SocketMonitor(socket, on: loop) { event, _ in told.yield(event) }
        try socket.connect(endpoint)
        self.monitor = monitor
        self.socket = consume socket
    }

    private func close() {
        monitor?.cancel()
        monitor = nil
        socket = nil
    }
}
