// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// The endpoint and the key of a publisher of changes.
public struct FeedAddress: Hashable, Sendable {
    /// The endpoint; empty while it is unknown.
    public var endpoint: String
    /// The public key of the publisher; nil if it does not encrypt.
    public var key: CurveKey?

    public init(_ endpoint: String, key: CurveKey? = nil) {
        (self.endpoint, self.key) = (endpoint, key)
    }

    /// Returns the address of the same publisher at another endpoint.
    public func at(_ endpoint: String) -> FeedAddress { FeedAddress(endpoint, key: key) }

    /// Returns the address for a client that reached the announcing service at `used`.
    public func found(by used: String) -> FeedAddress { at(Endpoint.found(endpoint, by: used)) }

    public init(_ welcome: WireWelcome) {
        self.init(welcome.changesEndpoint, key: CurveKey(bytes: [UInt8](welcome.changesKey)))
    }
}
