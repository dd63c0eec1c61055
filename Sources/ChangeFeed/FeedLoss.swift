// SPDX-License-Identifier: Apache-2.0

/// The reason why nothing arrives from a feed's publisher, as far as the follower knows. Meanwhile the follower reads
/// the changes from the log.
public struct FeedLoss: Hashable, Sendable {
    public enum Cause: String, Hashable, Sendable {
        /// Messages came before but have stopped: the publisher has ended or moved, or the connection is broken.
        case silent
        /// No connection was made, because nothing listens at the endpoint or the network blocks it.
        case unreachable
        /// Something listens at the endpoint, but nothing has ever come from it.
        case mute
        /// The publisher does not accept this follower's key.
        case keyRefused = "key_refused"
        /// The publisher has another key than the announced key, or none.
        case otherKey = "other_key"
        /// The publisher requires a key, but the service has announced none for it.
        case keyNeeded = "key_needed"
    }

    /// The endpoint where changes are published.
    public var endpoint: String
    public var cause: Cause

    public init(endpoint: String, cause: Cause) { (self.endpoint, self.cause) = (endpoint, cause) }
}
