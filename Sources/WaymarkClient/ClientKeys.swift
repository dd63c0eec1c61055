// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The keys by which a client proves its identity and recognises the service.
public struct ClientKeys: Sendable, Hashable {
    /// The client's own key pair, whose public key belongs to an account.
    public var own: CurveKeyPair
    /// The public key of the service. Connecting fails unless the peer has the matching secret key.
    public var server: CurveKey

    /// Whether the service is storage, which asks for keys over ipc too.
    private let isStorage: Bool

    public init(own: CurveKeyPair, server: CurveKey, ofStorage isStorage: Bool = false) {
        (self.own, self.server, self.isStorage) = (own, server, isStorage)
    }

    /// Returns the security for an endpoint; nil if connections to the endpoint are not encrypted.
    public func security(_ endpoint: String) -> SocketSecurity? {
        guard endpoint.hasPrefix("tcp:") || isStorage && endpoint.hasPrefix("ipc:") else { return nil }
        return .curveClient(serverKey: server, keys: own)
    }
}
