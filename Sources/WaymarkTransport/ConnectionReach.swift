// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// The state of a client's connection, derived from the events of the socket's monitor: whether it is connected, and if
/// not, why. Pure.
struct ConnectionReach {
    enum News { case came, went, refused }

    /// Whether a handshake with the service has succeeded and the connection has not ended since.
    private(set) var isConnected = false
    /// Whether there has been a connection at any time.
    private(set) var hasBeenConnected = false
    /// Why there is no connection; nil if that is not known.
    private(set) var failure: ConnectionFailure?
    /// Whether the port was open at the latest attempt. If the attempt failed, the handshake failed.
    private var isOpen = false

    /// - Parameter isConnected: true for a transport without a handshake, which never reports events.
    init(isConnected: Bool = false) {
        (self.isConnected, hasBeenConnected) = (isConnected, isConnected)
    }

    mutating func noticed(_ event: SocketEvent) -> News? {
        switch event {
        case .connected: isOpen = true
        case .handshakeSucceeded:
            (isConnected, hasBeenConnected, failure) = (true, true, nil)
            return .came
        case .disconnected:
            guard isConnected else { return nil }
            isConnected = false
            return .went
        case .handshakeFailed(.protocol):
            // Another attempt would fail in the same way.
            failure = .foreign
            return .refused
        case .handshakeFailed: failure = .handshake
        case .connectRetried:
            // libzmq reports a failed attempt by announcing the next one, also after a failed handshake.
            defer { isOpen = false }
            guard !isOpen, !isConnected else { return nil }
            failure = .unreachable
            return .refused
        default: break
        }
        return nil
    }
}

/// Why there is no connection with a service.
public enum ConnectionFailure: Sendable, Hashable {
    /// Nothing listens at the endpoint, or there is no route to it.
    case unreachable
    /// The other end closed the connection during the handshake.
    case handshake
    /// The other end does not speak ZeroMQ.
    case foreign
}

extension ConnectionFailure: CustomStringConvertible {
    /// The reason, as part of a sentence.
    public var description: String {
        switch self {
        case .unreachable: "the connection was refused"
        case .handshake: "what listens there broke the connection off"
        case .foreign: "what listens there does not speak ZeroMQ"
        }
    }
}
