// SPDX-License-Identifier: Apache-2.0

/// Why there is nobody to test at an endpoint.
public struct BusPeerError: Error, Hashable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// Nothing listens there, or there is no way to it.
        case nobody
        /// The peer does not introduce itself.
        case silent
        /// It ended the connection before it had introduced itself.
        case brokeOff
        /// It does not speak ZeroMQ, or not as it should.
        case foreign
        /// A kind of socket that cannot be connected with this one.
        case otherKind
        /// It asks for another security mechanism.
        case otherSecurity
        /// It does not admit this client.
        case refused
    }

    public let endpoint: String
    public let reason: Reason

    public var description: String {
        let failed = "The handshake with \(endpoint) failed: what listens there"
        return switch reason {
        case .nobody:
            "Nobody listens at \(endpoint), or there is no way to it: start the other end first, or check the endpoint."
        case .silent: "\(failed) has not introduced itself. It hangs, or does not speak ZeroMQ."
        case .brokeOff: "\(failed) broke the connection off. It does not speak ZeroMQ, or refuses this kind of socket."
        case .foreign: "\(failed) does not speak ZeroMQ as it should."
        case .otherKind:
            "\(failed) is a socket that does not fit. req needs REP or ROUTER; push a PULL; pub a SUB or XSUB; "
                + "--receive a PUSH, or for pub a PUB or XPUB."
        case .otherSecurity: "\(failed) asks for CURVE or PLAIN, and this test connects in the clear."
        case .refused: "\(failed) does not admit this client."
        }
    }
}
