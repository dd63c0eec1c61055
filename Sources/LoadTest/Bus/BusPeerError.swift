// SPDX-License-Identifier: Apache-2.0

/// The reason why no peer can be tested at an endpoint.
public struct BusPeerError: Error, Hashable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// Nothing listens at the endpoint, or it cannot be reached.
        case nobody
        /// The peer does not complete the handshake.
        case silent
        /// The peer ended the connection during the handshake.
        case brokeOff
        /// The peer does not speak ZeroMQ, or speaks it incorrectly.
        case foreign
        /// The peer's socket type cannot be connected to this socket type.
        case otherKind
        /// The peer requires a different security mechanism.
        case otherSecurity
        /// The peer does not admit this client.
        case refused
    }

    public let endpoint: String
    public let reason: Reason

    public var description: String {
        let failed = "The handshake with \(endpoint) failed: the peer"
        return switch reason {
        case .nobody:
            "Nobody listens at \(endpoint), or there is no way to it: start the other end first, or check the endpoint."
        case .silent: "\(failed) has not introduced itself. It hangs, or does not speak ZeroMQ."
        case .brokeOff: "\(failed) broke the connection off. It does not speak ZeroMQ, or refuses this kind of socket."
        case .foreign: "\(failed) does not speak ZeroMQ as it should."
        case .otherKind:
            "\(failed) has a socket that does not fit. req needs REP or ROUTER; push a PULL; pub a SUB or XSUB; "
                + "--receive a PUSH, or for pub a PUB or XPUB."
        case .otherSecurity: "\(failed) asks for CURVE or PLAIN, and this test connects in the clear."
        case .refused: "\(failed) does not admit this client."
        }
    }
}
