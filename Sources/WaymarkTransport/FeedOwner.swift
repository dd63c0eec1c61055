// SPDX-License-Identifier: Apache-2.0

/// The account or service to which a connection to the feed belongs.
public enum FeedOwner: Sendable, Hashable {
    /// A service of this installation, which follows the feed on behalf of many clients.
    case service
    /// A person or a program with a key of this account.
    case account(UInt64)
}
