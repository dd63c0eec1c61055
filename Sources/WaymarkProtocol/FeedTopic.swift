// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// The topic of a feed, which contains the canonical encoding of the feed's filter.
///
/// ```
/// +--------------------+--------+------------------+
/// | signature, kind F  | length | encoded filter   |
/// | 4 bytes            | 1 byte | 0 to 195 bytes   |
/// +--------------------+--------+------------------+
/// ```
///
/// Because a topic contains the length, no topic is a prefix of another. This matters because ZeroMQ subscriptions
/// match prefixes. See `Protocol.md`, part The feed.
public struct FeedTopic: Hashable, Sendable {
    /// The version in a topic's signature. In this version each message has one frame: the topic, directly followed by
    /// a `FeedBatch`.
    public static let version: UInt8 = 2
    /// The maximum length of a topic in bytes, well below 246, because libzmq 4.3.4 never registers subscriptions of
    /// 246 to 255 bytes.
    public static let maxBytes = 200

    public let bytes: [UInt8]
    /// The filter of the feed.
    public let filter: FeedFilter

    public static let everything = FeedTopic(.everything, encoded: [])

    private static let headBytes = 4

    private init(_ filter: FeedFilter, encoded: [UInt8]) {
        self.filter = filter
        bytes = Signature(.feed, version: Self.version).bytes + [UInt8(encoded.count)] + encoded
    }

    /// Makes the topic for a filter. If the filter is too long for a topic, uses a wider filter: without the
    /// operations, then with the box around a polygon, and then without some lists, the longest first. In this case the
    /// subscriber has to filter again: see ``isExact(for:)``.
    public init(carrying filter: FeedFilter) {
        var wider = filter
        var encoded = wider.wire.encoded
        while encoded.count > Self.maxBytes - Self.headBytes - 1 {
            wider.widen()
            encoded = wider.wire.encoded
        }
        self.init(wider, encoded: encoded)
    }

    public func isExact(for filter: FeedFilter) -> Bool { self.filter == filter }

    /// Decodes a topic.
    ///
    /// - Throws: the reason why nothing is ever published on this topic.
    public init(_ bytes: [UInt8]) throws(InvalidInput) {
        let start = Self.headBytes + 1
        guard bytes.count >= start, bytes.count <= Self.maxBytes,
            let signature = bytes.withUnsafeBytes({ Signature(.init(rebasing: $0.prefix(Self.headBytes))) }),
            signature.kind == .feed, signature.version == Self.version,
            Int(bytes[start - 1]) == bytes.count - start
        else { throw .outOfRange("topic", "57 4D 02 46, a length, and as many bytes of a filter") }
        let encoded = Array(bytes[start...])
        let filter = try FeedFilter(encoded: encoded)
        guard filter.wire.encoded == encoded else {
            throw .outOfRange("filter in the topic", "in canonical form: sorted lists, nothing twice, nothing empty")
        }
        (self.filter, self.bytes) = (filter, bytes)
    }

    // The bytes determine the filter, so it suffices to compare the bytes.
    public static func == (one: FeedTopic, other: FeedTopic) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension FeedFilter {
    /// Removes one condition: the operations if there are any, then the polygon, then the longest list.
    fileprivate mutating func widen() {
        guard operations.isEmpty else {
            // A change that is `entered` for this filter may be `changed` for a wider filter, so it cannot be tested.
            operations = []
            return
        }
        if case .polygon(let polygon)? = area {
            area = .box(polygon.bounds)
            return
        }
        func bytes(_ texts: Set<String>) -> Int { texts.reduce(0) { $0 + $1.utf8.count + 2 } }
        let sizes = [bytes(kinds), bytes(users), bytes(sources), ids.count * 18]
        switch sizes.firstIndex(of: sizes.max() ?? 0) {
        case 0: kinds = []
        case 1: users = []
        case 2: sources = []
        default: ids = []
        }
    }
}
