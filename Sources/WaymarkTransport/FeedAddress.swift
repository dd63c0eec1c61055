// SPDX-License-Identifier: Apache-2.0

public import WaymarkProtocol

/// Where changes are published, and in which form.
public struct FeedAddress: Hashable, Sendable {
    /// Empty while it is unknown.
    public var endpoint: String
    public var form: FeedTopic.Form

    public init(_ endpoint: String, _ form: FeedTopic.Form) {
        (self.endpoint, self.form) = (endpoint, form)
    }

    public init(_ welcome: WireWelcome) {
        self.init(welcome.changesEndpoint, FeedTopic.Form(offered: welcome.feedVersion))
    }
}
