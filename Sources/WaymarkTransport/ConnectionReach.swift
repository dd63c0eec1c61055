// SPDX-License-Identifier: Apache-2.0

import Glibc
import ZeroMQ

/// Whether a client is connected, and if not, why; derived from the events of its socket's monitor. Does no I/O.
struct ConnectionReach {
    enum News { case came, went, refused }

    /// Whether a handshake with the service has succeeded and that connection has not ended.
    private(set) var isConnected = false
    /// Whether there was a connection at any time.
    private(set) var hasBeenConnected = false
    /// The reason why there is no connection; nil if the reason is unknown.
    private(set) var failure: ConnectionFailure?
    /// Whether a server broke off the handshake of a client without keys, so that its greeting would tell why.
    private(set) var wantsGreeting = false
    private let isSecured: Bool
    /// Whether the endpoint is a path on this machine, which needs neither a host name nor a route.
    private let isLocal: Bool
    /// The number of successive handshakes that the peer broke off immediately.
    private var breaks = 0
    /// The time when the port was last found open, in monotonic milliseconds.
    private var openedAt: UInt64 = 0
    /// The number of milliseconds within which a broken handshake counts as broken off immediately. A later break comes
    /// from a service that could not find out whether it admits this key.
    private static let atOnce: UInt64 = 1_000
    /// Whether the port was open at the latest attempt. If that attempt failed although the port was open, the
    /// handshake failed.
    private(set) var isOpen = false
    /// Whether libzmq has created a socket for the present attempt. Without an address for the host it creates none.
    private var hasSocket = false
    private var isUnderWay = false

    init(_ endpoint: String, isSecured: Bool = false) {
        // An inproc endpoint has no handshake that the monitor could report.
        isConnected = endpoint.hasPrefix("inproc://")
        hasBeenConnected = isConnected
        (self.isSecured, isLocal) = (isSecured, ListenRule.isPrivate(endpoint))
    }

    /// The reason why an attempt has not reached the port.
    private var unreached: ConnectionFailure {
        if isUnderWay || isLocal { return .unreachable }
        return hasSocket ? .noRoute : .unknownHost
    }

    /// Updates the state by an event of the monitor.
    ///
    /// - Parameter now: monotonic milliseconds.
    mutating func noticed(_ event: SocketEvent, at now: UInt64 = Monotonic.milliseconds) -> News? {
        switch event {
        case .connectDelayed: isUnderWay = true
        case .closed: hasSocket = true
        case .connected: (isOpen, openedAt) = (true, now)
        case .handshakeSucceeded:
            (isConnected, hasBeenConnected, failure, breaks, wantsGreeting) = (true, true, nil, 0, false)
            return .came
        case .disconnected:
            guard isConnected else { return nil }
            isConnected = false
            return .went
        case .handshakeFailed(.auth(status: 400)):
            // After this failure libzmq never tries again.
            failure = .keyRefused
            return .refused
        case .handshakeFailed(.protocol(let code)):
            // Another attempt would fail for the same reason.
            if code == SocketEvent.HandshakeFailure.otherMechanism {
                failure = isSecured ? .noKeys : .keysNeeded
            } else {
                failure = isSecured ? .otherKey : .foreign
            }
            return .refused
        case .handshakeFailed(.noDetail) where isSecured && isOpen:
            // A server with a different key cannot read the first message, and breaks off immediately. A server that
            // cannot find out whether it admits this key breaks off only after seconds.
            if now - min(now, openedAt) < Self.atOnce { breaks += 1 }
            guard breaks > 1 else {
                failure = .handshake
                return nil
            }
            failure = .otherKey
            return .refused
        case .handshakeFailed: (failure, wantsGreeting) = (.handshake, !isSecured)
        case .connectRetried:
            // libzmq reports a failed attempt by announcing the next attempt. It does so after a failed handshake too.
            defer { (isOpen, hasSocket, isUnderWay) = (false, false, false) }
            guard !isOpen, !isConnected else { return nil }
            failure = unreached
            return .refused
        default: break
        }
        return nil
    }

    /// Updates the state by the security mechanism that the server's greeting names.
    mutating func greeted(with mechanism: String) -> News? {
        guard !isConnected, mechanism != "NULL" else { return nil }
        failure = .keysNeeded
        return .refused
    }
}

/// The reason why there is no connection with a service.
public enum ConnectionFailure: Sendable, Hashable, CustomStringConvertible {
    /// Nothing listens at the endpoint.
    case unreachable
    /// The host name in the endpoint has no address.
    case unknownHost
    /// The address in the endpoint cannot be reached from this machine.
    case noRoute
    /// There is no file at the path in the endpoint.
    case noSocket
    /// This user may not use the file at the path in the endpoint.
    case notAllowed
    /// The peer closed the connection during the handshake.
    case handshake
    /// The peer does not speak ZeroMQ.
    case foreign
    /// The peer requires keys, and this client has none.
    case keysNeeded
    /// The peer uses no keys, but this client talks only to a server that proves its key.
    case noKeys
    /// The service does not accept this client's key.
    case keyRefused
    /// The peer's key is not the expected one.
    case otherKey

    /// The reason, worded as part of a sentence.
    public var description: String {
        switch self {
        case .unreachable: "the connection was refused"
        case .unknownHost:
            "no machine of that name is known, or it has no IPv4 address: write an IPv6 address in brackets"
        case .noRoute: "there is no route to that address"
        case .noSocket: "there is no such socket"
        case .notAllowed: "this user may not use that socket"
        case .handshake: "the server there broke the connection off"
        case .foreign: "the server there does not speak ZeroMQ"
        case .keysNeeded: "the server there requires accounts"
        case .noKeys: "the server there has no accounts, and no key"
        case .keyRefused: "the service does not accept this key"
        case .otherKey: "the server there does not have the expected key"
        }
    }

    /// Finds the reason why the file of an `ipc://` socket cannot be used. Nil if the endpoint is not an `ipc://` path,
    /// or if the file is not the reason.
    init?(ofSocketAt endpoint: String) {
        guard endpoint.hasPrefix("ipc://") else { return nil }
        let path = String(endpoint.dropFirst("ipc://".count))
        guard access(path, W_OK) != 0 else { return nil }
        switch errno {
        case ENOENT, ENOTDIR: self = .noSocket
        case EACCES: self = .notAllowed
        default: return nil
        }
    }
}
