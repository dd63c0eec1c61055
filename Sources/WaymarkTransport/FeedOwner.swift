// SPDX-License-Identifier: Apache-2.0

/// The owner of a connection to the feed.
public enum FeedOwner: Sendable, Hashable {
    /// A service of this installation, which follows on behalf of many clients.
    case service
    /// A person or a program with a key of this account.
    case account(UInt64)
}
