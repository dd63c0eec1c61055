// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Whether a peer is at the other end of a bus, derived from the events of a connecting socket's monitor. Pure.
struct BusReach: Hashable, Sendable {
    /// Whether a fitting peer has completed the handshake.
    private(set) var isMet = false
    /// The reason if there is no peer; the latest one that says more than "nobody".
    private(set) var reason = BusPeerError.Reason.nobody
    /// Whether another attempt would end in the same way.
    private(set) var isFinal = false
    /// Whether the port was open at the latest attempt, and the handshake has not ended.
    private var isOpen = false

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
            // libzmq never tries again after 400; a server without a verdict yet says 300 or 500.
            case .auth(let status): (reason, isFinal) = (.refused, status == 400)
            case .protocol(SocketEvent.HandshakeFailure.otherMechanism): (reason, isFinal) = (.otherSecurity, true)
            case .protocol(SocketEvent.HandshakeFailure.badMetadata): (reason, isFinal) = (.otherKind, true)
            case .protocol: (reason, isFinal) = (.foreign, true)
            case .noDetail: reason = .brokeOff
            }
        case .disconnected where isOpen:
            // libzmq breaks off without a reason when the peer announces a kind of socket that does not fit.
            (isOpen, reason, isFinal) = (false, .otherKind, true)
        default: break
        }
    }
}
