// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// Where changes are published.
public struct FeedAddress: Hashable, Sendable {
    /// Empty while it is unknown.
    public var endpoint: String
    /// The public key of the publisher; nil: it does not encrypt.
    public var key: CurveKey?

    public init(_ endpoint: String, key: CurveKey? = nil) {
        (self.endpoint, self.key) = (endpoint, key)
    }

    /// The same at another endpoint.
    public func at(_ endpoint: String) -> FeedAddress { FeedAddress(endpoint, key: key) }

    /// The same as it is found by one who reached the announcing service at `used`.
    public func found(by used: String) -> FeedAddress { at(Endpoint.found(endpoint, by: used)) }

    public init(_ welcome: WireWelcome) {
        self.init(welcome.changesEndpoint, key: CurveKey(bytes: [UInt8](welcome.changesKey)))
    }
}
