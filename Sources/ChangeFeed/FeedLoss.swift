// SPDX-License-Identifier: Apache-2.0

/// Why nothing arrives from the publisher of a feed, as far as its follower can tell. The changes come from the log
/// meanwhile.
public struct FeedLoss: Hashable, Sendable {
    public enum Cause: String, Hashable, Sendable {
        /// Messages came before, and come no more: the publisher has ended or moved, or the connection broke.
        case silent
        /// No connection came about: nothing listens there, or the way is closed.
        case unreachable
        /// Something listens there, and nothing has ever come from it.
        case mute
        /// The publisher does not accept this follower's key.
        case keyRefused = "key_refused"
        /// The publisher has another key than the one that was named, or none.
        case otherKey = "other_key"
        /// The publisher asks for a key, and the service has named none for it.
        case keyNeeded = "key_needed"
    }

    /// Where changes are published.
    public var endpoint: String
    public var cause: Cause

    public init(endpoint: String, cause: Cause) { (self.endpoint, self.cause) = (endpoint, cause) }
}
