// SPDX-License-Identifier: Apache-2.0

/// Whose a connection to the feed is.
public enum FeedOwner: Sendable, Hashable {
    /// A service of this installation, which follows for many.
    case service
    /// Whoever has one of this account's keys.
    case account(UInt64)
}
