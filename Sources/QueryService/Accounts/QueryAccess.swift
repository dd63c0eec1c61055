// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Keys and endpoints of a query service where accounts are required.
public struct QueryAccess: Sendable {
    /// The service's own keys. The service proves its identity to storage with them, and clients know the public key.
    /// All query services behind one address have the same keys.
    public var keys: CurveKeyPair
    /// Storage's public key; nil if storage is reached only over inproc, which needs no encryption.
    public var storage: CurveKey?
    /// The endpoint for signing in, where a client with any key may connect; nil if the service has none.
    public var signIn: String?
    /// The endpoint that tells every client the service's public key; nil if the service has none.
    public var serverKeyEndpoint: String?
    /// The endpoint for signing in that clients are told together with the public key; nil if it is `signIn`.
    public var advertisedSignIn: String?
    /// The context's handler if other servers share the context; nil if the service starts its own handler.
    public var handler: ZAPHandler?

    /// The maximum number of requests that clients without an account may make in a second from one address, at the
    /// server-key endpoint and at the endpoint for signing in together. Signing in is rare, but a school class behind
    /// one address signs in at once.
    public var strangersRate = 10

    public init(keys: CurveKeyPair, storage: CurveKey?, signIn: String? = nil, serverKeyEndpoint: String? = nil) {
        (self.keys, self.storage, self.signIn, self.serverKeyEndpoint) = (keys, storage, signIn, serverKeyEndpoint)
    }
}
