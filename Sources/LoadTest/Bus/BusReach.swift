// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

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
