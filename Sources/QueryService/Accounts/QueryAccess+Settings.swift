// SPDX-License-Identifier: Apache-2.0

import Accounts
public import Settings
internal import WaymarkTransport
public import ZeroMQ

extension QueryAccess {
    /// Offsets from the port of `listen` to the ports of the two sockets for clients without an account.
    public static let (serverKeyOffset, signInOffset): (UInt16, UInt16) = (3, 4)
    /// Offset from the port of `listen` to the port of the feed, unless the settings name an endpoint for the feed.
    public static let feedOffset: UInt16 = 2

    /// Reads keys and endpoints from the settings; nil if the settings do not require accounts.
    ///
    /// - Parameter listen: the endpoint for requests.
    /// - Throws: an error that says which file or setting is missing.
    public init?(_ settings: Settings, listen: String) throws(Unusable) {
        guard settings.string("accounts") == "required" else { return nil }
        guard let path = settings.optionalString("keys.service") else {
            throw Unusable(
                "accounts: required needs keys.service: name the file that storage made for query services.")
        }
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(path: path) } catch {
            throw Unusable("\(settings.origin(of: "keys.service")): \(error)")
        }
        self.init(
            keys: file.keys, storage: file.server,
            signIn: settings.optionalString("sign-in.listen") ?? Endpoint.beside(listen, Self.signInOffset),
            serverKeyEndpoint: settings.optionalString("sign-in.server-key-endpoint")
                ?? Endpoint.beside(listen, Self.serverKeyOffset))
        advertisedSignIn = settings.optionalString("sign-in.advertise")
    }

    /// Reads the service's own keys; nil if the settings do not require accounts.
    public static func ownKeys(_ settings: Settings) throws -> CurveKeyPair? {
        try QueryAccess(settings, listen: settings.string("listen"))?.keys
    }
}
