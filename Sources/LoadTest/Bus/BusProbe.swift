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
    private init(_ loop: EventLoop) { self.loop = loop }

    /// Returns once a peer at the endpoint has completed the handshake.
    ///
    /// - Parameter stop: ends the waiting early.
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

/// Whether a peer can be reached, derived from the events of a connecting socket's monitor. Has no side effects.
struct BusReach: Hashable, Sendable {
    /// Whether a peer with a suitable socket has completed the handshake.
    private(set) var isMet = false
    /// The reason why there is no peer: the latest reason that says more than `nobody`.
    private(set) var reason = BusPeerError.Reason.nobody
    /// Whether another attempt to connect would end in the same way.
    private(set) var isFinal = false
    /// Whether the port was open at the latest attempt and the handshake has not ended yet.
    private var isOpen = false
    /// The number of handshakes that the peer broke off, which it does if this end has the wrong key of its server.
    private var breaks = 0

    /// Whether a handshake is under way, or may still succeed at another attempt.
    var isPromising: Bool { reason != .nobody && !(reason == .brokeOff && breaks >= 3) }
    var isSettled: Bool { isMet || isFinal }

    mutating func noticed(_ event: SocketEvent) {
        switch event {
        case .connected:
            isOpen = true
            if reason == .nobody { reason = .silent }
        case .handshakeSucceeded: isMet = true
        case .handshakeFailed(let failure):
            isOpen = false
            switch failure {
            // libzmq never tries again after the status 400. A server that has not decided yet answers 300 or 500.
            case .auth(let status): (reason, isFinal) = (.refused, status == 400)
            case .protocol(SocketEvent.HandshakeFailure.otherMechanism): (reason, isFinal) = (.otherSecurity, true)
            case .protocol(SocketEvent.HandshakeFailure.badMetadata): (reason, isFinal) = (.otherKind, true)
            case .protocol: (reason, isFinal) = (.foreign, true)
            case .noDetail: (reason, breaks) = (.brokeOff, breaks + 1)
            }
        case .disconnected where isOpen:
            // libzmq disconnects without a reason if the peer announces an unsuitable socket type.
            (isOpen, reason, isFinal) = (false, .otherKind, true)
        default: break
        }
    }
}

/// The reason why no peer can be tested at an endpoint.
public struct BusPeerError: Error, Hashable, CustomStringConvertible {
    /// The reasons, each with its sentence in ``description``.
    public enum Reason: Hashable, Sendable { case nobody, silent, brokeOff, foreign, otherKind, otherSecurity, refused }

    public let endpoint: String
    public let reason: Reason
    let security: SocketSecurity?

    /// The security of this end, as the end of a sentence.
    private var means: String {
        switch security {
        case .curveClient: "with CURVE"
        case .plainClient: "with PLAIN"
        default: "in the clear"
        }
    }

    public var description: String {
        let failed = "The handshake with \(endpoint) failed: the peer"
        let (isPlain, advice) = (security == nil, "give --curve-server-key, or --plain-user.")
        return switch reason {
        case .nobody:
            "Nobody listens at \(endpoint), or there is no way to it: start the other end first, or check the endpoint."
        case .silent: "\(failed) has not introduced itself. It hangs, or does not speak ZeroMQ."
        case .brokeOff:
            // A peer with other security may close before its greeting is out, so this end learns no reason.
            "\(failed) broke the connection off. It does not speak ZeroMQ, refuses this kind of socket, or "
                + (isPlain
                    ? "asks for CURVE or PLAIN: then \(advice)"
                    : "has another key or other security than the given one.")
        case .foreign: "\(failed) does not speak ZeroMQ as it should."
        case .otherKind:
            "\(failed) has a socket that does not fit. req needs REP or ROUTER; dealer a ROUTER; push a PULL; "
                + "pub a SUB or XSUB; --receive a PUSH, or for pub a PUB or XPUB."
        case .otherSecurity where isPlain:
            "\(failed) asks for CURVE or PLAIN, and this test connects \(means): \(advice)"
        case .otherSecurity: "\(failed) has other security than this test, which connects \(means)."
        case .refused:
            "\(failed) does not admit this client, which connects \(means)"
                + (isPlain ? "." : ": check its key, or its name and password.")
        }
    }
}
