// SPDX-License-Identifier: Apache-2.0

/// A peer that wants to connect, as described in libzmq's request to the handler (ZeroMQ RFC 27).
public struct ZAPRequest: Sendable, Hashable {
    /// The server's domain, from its ``SocketSecurity``.
    public var domain: String
    /// The peer's IP address; empty over `ipc`.
    public var address: String
    /// The peer's ``SocketOptions/routingID``, often empty. Chosen by the peer.
    public var routingID: [UInt8]
    /// The peer's credentials.
    public var credentials: Credentials

    /// A peer's credentials, by mechanism. For a CURVE key, libzmq has checked that the peer also has the secret key.
    public enum Credentials: Sendable, Hashable {
        /// No credentials.
        case null
        /// A user name and a password. Bytes that are not UTF-8 are replaced by U+FFFD.
        case plain(username: String, password: String)
        /// The peer's own public key.
        case curve(publicKey: CurveKey)
    }

    public init(domain: String, address: String, routingID: [UInt8] = [], credentials: Credentials) {
        self.domain = domain
        self.address = address
        self.routingID = routingID
        self.credentials = credentials
    }

    /// Reads the frames: sender, empty frame, version, request id, domain, address, routing id, mechanism, credentials.
    ///
    /// Returns `nil` unless the message is a request of version 1.0 with a mechanism of ``Credentials``.
    init?(_ message: borrowing Message) {
        guard message.count >= 8, message.text(at: 2) == Self.version else { return nil }
        let shown = message.count - 8
        switch (message.text(at: 7), shown) {
        case ("NULL", 0): credentials = .null
        case ("PLAIN", 2): credentials = .plain(username: message.text(at: 8), password: message.text(at: 9))
        case ("CURVE", 1):
            guard let publicKey = CurveKey(bytes: message.bytes(at: 8)) else { return nil }
            credentials = .curve(publicKey: publicKey)
        default: return nil
        }
        domain = message.text(at: 4)
        address = message.text(at: 5)
        routingID = message.bytes(at: 6)
    }

    /// The version of the ZAP protocol, in requests and answers.
    static let version = "1.0"
}

extension ZAPRequest.Credentials: CustomStringConvertible, CustomReflectable {
    /// The mechanism, with the user name or the public key. Contains no password.
    public var description: String {
        switch self {
        case .null: "null"
        case .plain(let username, _): "plain(\(username), …)"
        case .curve(let publicKey): "curve(\(publicKey.z85))"
        }
    }

    /// Empty, because otherwise `dump` and test reports would show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Message {
    fileprivate func text(at index: Int) -> String {
        withUnsafeBytes(at: index) { String(decoding: $0, as: UTF8.self) }
    }
}
