// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// What the monitor of a connecting socket has told of its one peer: whether it is there, and if not, why. Pure.
struct ConnectionReach {
    enum News { case came, went, refused }

    /// Whether a handshake with the peer has succeeded and nothing has ended the connection since.
    private(set) var isConnected = false
    /// Whether that was ever so.
    private(set) var hasBeenConnected = false
    /// Why there is no connection, as far as it is known.
    private(set) var failure: ConnectionFailure?
    /// The peer's port was open at the last attempt: what failed then was the handshake.
    private var isOpen = false

    /// - Parameter isConnected: for a transport without a handshake to hear of.
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
            // An attempt more would fare the same.
            failure = .foreign
            return .refused
        case .handshakeFailed: failure = .handshake
        case .connectRetried:
            // libzmq tells of each attempt that failed by its announcement of the next one, after a failed handshake too.
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
    /// Nobody listens there, or there is no way to it.
    case unreachable
    /// What listens there broke off the handshake.
    case handshake
    /// What listens there speaks something else.
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
