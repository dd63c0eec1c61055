// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol
public import ZeroMQ

/// Where changes are published, and in which form.
public struct FeedAddress: Hashable, Sendable {
    /// Empty while it is unknown.
    public var endpoint: String
    public var form: FeedTopic.Form
    /// The public key of the publisher; nil: it does not encrypt.
    public var key: CurveKey?

    public init(_ endpoint: String, _ form: FeedTopic.Form, key: CurveKey? = nil) {
        (self.endpoint, self.form, self.key) = (endpoint, form, key)
    }

    /// The same at another endpoint.
    public func at(_ endpoint: String) -> FeedAddress { FeedAddress(endpoint, form, key: key) }

    /// The same as it is found by one who reached the announcing service at `used`.
    public func found(by used: String) -> FeedAddress { at(Endpoint.found(endpoint, by: used)) }

    public init(_ welcome: WireWelcome) {
        self.init(
            welcome.changesEndpoint, FeedTopic.Form(offered: welcome.feedVersion),
            key: CurveKey(bytes: [UInt8](welcome.changesKey)))
    }
}
