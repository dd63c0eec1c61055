// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// What a query service needs where accounts are required.
public struct QueryAccess: Sendable {
    /// The service's own: it shows them to storage, and its clients know the public one. All query services behind one
    /// address have the same.
    public var keys: CurveKeyPair
    /// Storage's public key; nil where storage is asked over inproc alone, without encryption.
    public var storage: CurveKey?
    /// The endpoint for signing in, where any key may connect; nil: nobody can sign in here.
    public var signIn: String?
    /// The endpoint that tells everybody the service's public key; nil: nowhere.
    public var door: String?
    /// What the door says where to sign in, if it differs from `signIn`.
    public var advertisedSignIn: String?
    /// The handler of the context, where others have servers in it too; nil: the service starts one.
    public var handler: ZAPHandler?

    /// How many requests a second are answered to strangers of one address, at the door and where people sign in.
    /// Signing in is rare, and a class behind one address comes at once.
    public var strangersRate = 10

    public init(keys: CurveKeyPair, storage: CurveKey?, signIn: String? = nil, door: String? = nil) {
        (self.keys, self.storage, self.signIn, self.door) = (keys, storage, signIn, door)
    }
}
