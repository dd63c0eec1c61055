// SPDX-License-Identifier: Apache-2.0

/// How a socket proves its identity, and what it demands of peers that connect to it (ZeroMQ RFC 23, 24 and 25).
///
/// Each server has a domain: its name towards the ``ZAPHandler``. The domain must not be empty and is always enforced
/// (`ZMQ_ZAP_ENFORCE_DOMAIN`), so that without a handler nobody gets in. libzmq alone would admit everyone.
public enum SocketSecurity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// A server that encrypts, and admits the keys that the handler admits.
    case curveServer(secretKey: CurveKey, domain: String)
    /// A client that encrypts. It knows the server's public key and presents its own.
    case curveClient(serverKey: CurveKey, keys: CurveKeyPair)
    /// A server that asks for a name and a password. Both come in the clear, like everything else: only for networks
    /// that nobody else can read.
    case plainServer(domain: String)
    /// A client with a name and a password of 1 to 255 bytes each.
    case plainClient(username: String, password: String)
    /// A server that asks for no credentials: the handler decides by the peer's address.
    case nullServer(domain: String)

    /// The mechanism and the domain or the name; no key and no password.
    public var description: String {
        switch self {
        case .curveServer(_, let domain): "curveServer(\(domain))"
        case .curveClient: "curveClient(…)"
        case .plainServer(let domain): "plainServer(\(domain))"
        case .plainClient(let username, _): "plainClient(\(username), …)"
        case .nullServer(let domain): "nullServer(\(domain))"
        }
    }

    /// Empty: `dump` and test reports would show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
