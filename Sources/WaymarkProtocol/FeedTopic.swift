// SPDX-License-Identifier: Apache-2.0

/// The topic of a feed is the canonical encoding of the filter that it carries.
///
/// ```
/// +--------------------+--------+------------------+
/// | signature, kind F  | length | encoded filter   |
/// | 4 bytes            | 1 byte | 0 to 195 bytes   |
/// +--------------------+--------+------------------+
/// ```
///
/// The length makes topics self-delimiting: none is the beginning of another, which matters because ZeroMQ
/// subscriptions match prefixes. In version 1 the only filter is the empty one: everything. See `Protocol.md`, part The
/// feed.
public struct FeedTopic: Hashable, Sendable {
    /// libzmq 4.3.4 never registers subscriptions of 246 to 255 bytes; this stays well below.
    public static let maxBytes = 200

    public let bytes: [UInt8]

    public static let everything = FeedTopic(filter: [])

    private init(filter: [UInt8]) {
        bytes = Signature(.feed).bytes + [UInt8(filter.count)] + filter
    }

    /// Nil when this version cannot serve a feed of that topic.
    public init?(_ bytes: [UInt8]) {
        guard bytes == Self.everything.bytes else { return nil }
        self = .everything
    }
}
