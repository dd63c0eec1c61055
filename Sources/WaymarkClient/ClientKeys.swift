// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// With what a client proves who it is, and by what it knows the service.
public struct ClientKeys: Sendable, Hashable {
    /// The client's own. The public one belongs to an account.
    public var own: CurveKeyPair
    /// The public key of the service. What does not have its secret key cannot be connected to.
    public var server: CurveKey

    /// Whether the service is storage, which asks for keys over ipc too.
    private let isStorage: Bool

    public init(own: CurveKeyPair, server: CurveKey, ofStorage isStorage: Bool = false) {
        (self.own, self.server, self.isStorage) = (own, server, isStorage)
    }

    /// Nil for an endpoint that is not encrypted.
    public func security(_ endpoint: String) -> SocketSecurity? {
        guard endpoint.hasPrefix("tcp:") || isStorage && endpoint.hasPrefix("ipc:") else { return nil }
        return .curveClient(serverKey: server, keys: own)
    }
}
