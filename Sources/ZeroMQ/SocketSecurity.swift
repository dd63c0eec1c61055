// SPDX-License-Identifier: Apache-2.0

/// How a socket proves its identity, and which proof it requires of connecting peers (ZeroMQ RFC 23, 24 and 25).
///
/// Each server has a domain, by which the ``ZAPHandler`` recognises it. The domain must not be empty and is always
/// enforced (`ZMQ_ZAP_ENFORCE_DOMAIN`), so that without a handler nobody can connect; libzmq's default admits everyone.
public enum SocketSecurity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// A server that encrypts, and admits the client keys that the handler admits.
    case curveServer(secretKey: CurveKey, domain: String)
    /// A client that encrypts. It knows the server's public key, and proves its own key pair.
    case curveClient(serverKey: CurveKey, keys: CurveKeyPair)
    /// A server that requires a name and a password. Both, like everything else, are sent unencrypted, so use this only
    /// in networks that nobody else can read.
    case plainServer(domain: String)
    /// A client with a name and a password of 1 to 255 bytes each.
    case plainClient(username: String, password: String)
    /// A server that requires no credentials. The handler decides by the peer's address.
    case nullServer(domain: String)

    /// The mechanism, with the domain or the user name. Contains no key and no password.
    public var description: String {
        switch self {
        case .curveServer(_, let domain): "curveServer(\(domain))"
        case .curveClient: "curveClient(…)"
        case .plainServer(let domain): "plainServer(\(domain))"
        case .plainClient(let username, _): "plainClient(\(username), …)"
        case .nullServer(let domain): "nullServer(\(domain))"
        }
    }

    /// Empty, because otherwise `dump` and test reports would show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
