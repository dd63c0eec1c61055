// SPDX-License-Identifier: Apache-2.0

/// The reason why nothing arrives from the publisher of a feed, as far as its follower can tell. Meanwhile the changes
/// come from the log.
public struct FeedLoss: Hashable, Sendable {
    public enum Cause: String, Hashable, Sendable {
        /// Messages came before, but no longer: the publisher has ended or moved, or the connection broke.
        case silent
        /// No connection was made: nothing listens at the endpoint, or the way is blocked.
        case unreachable
        /// Something listens at the endpoint, but nothing has ever come from it.
        case mute
        /// The publisher does not accept this follower's key.
        case keyRefused = "key_refused"
        /// The publisher has a different key from the announced one, or none.
        case otherKey = "other_key"
        /// The publisher asks for a key, and the service has announced none for it.
        case keyNeeded = "key_needed"
    }

    /// The endpoint at which changes are published.
    public var endpoint: String
    public var cause: Cause

    public init(endpoint: String, cause: Cause) { (self.endpoint, self.cause) = (endpoint, cause) }
}
