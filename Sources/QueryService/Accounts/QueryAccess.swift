// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Keys and endpoints of a query service where accounts are required.
public struct QueryAccess: Sendable {
    /// The service's own keys: it proves its identity to storage with them, and clients know the public one. All query
    /// services behind one address have the same keys.
    public var keys: CurveKeyPair
    /// Storage's public key; nil if storage is reached over inproc alone, which needs no encryption.
    public var storage: CurveKey?
    /// The endpoint for signing in, where any key may connect; nil: the service has none.
    public var signIn: String?
    /// The endpoint that tells every client the service's public key; nil: the service has none.
    public var serverKeyEndpoint: String?
    /// The endpoint for signing in that is told with the key, if it differs from `signIn`.
    public var advertisedSignIn: String?
    /// The context's handler if other servers share the context; nil: the service starts its own.
    public var handler: ZAPHandler?

    /// Requests of strangers answered each second, for each address, at the server-key endpoint and where people sign
    /// in. Signing in is rare, but a school class behind one address signs in at once.
    public var strangersRate = 10

    public init(keys: CurveKeyPair, storage: CurveKey?, signIn: String? = nil, serverKeyEndpoint: String? = nil) {
        (self.keys, self.storage, self.signIn, self.serverKeyEndpoint) = (keys, storage, signIn, serverKeyEndpoint)
    }
}
