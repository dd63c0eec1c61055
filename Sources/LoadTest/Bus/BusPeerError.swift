// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// The reason why no peer can be tested at an endpoint.
public struct BusPeerError: Error, Hashable, CustomStringConvertible {
    /// The reasons, each with its sentence in ``description``.
    public enum Reason: Hashable, Sendable { case nobody, silent, brokeOff, foreign, otherKind, otherSecurity, refused }

    public let endpoint: String
    public let reason: Reason
    /// The security of this end.
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
