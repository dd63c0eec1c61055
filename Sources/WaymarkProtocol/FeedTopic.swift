// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf

/// The topic of a feed, which contains the canonical encoding of the feed's filter.
///
/// ```
/// +--------------------+--------+------------------+
/// | signature, kind F  | length | encoded filter   |
/// | 4 bytes            | 1 byte | 0 to 195 bytes   |
/// +--------------------+--------+------------------+
/// ```
///
/// Because of the length no topic is the beginning of another. ZeroMQ subscriptions match prefixes, so this matters.
/// See `Protocol.md`, part The feed.
public struct FeedTopic: Hashable, Sendable {
    /// The version in a topic's signature. In this one each message has one frame: the topic, directly followed by a
    /// `FeedBatch`.
    public static let version: UInt8 = 2
    /// The longest topic. libzmq 4.3.4 never registers subscriptions of 246 to 255 bytes; this stays well below.
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

    /// The topic for a filter. If its encoding is too long for a topic, the topic of a wider filter is used: without
    /// the operations, with the box around a polygon, and without some lists, the longest first. Then the subscriber
    /// has to filter again: see ``isExact(for:)``.
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

    /// - Throws: the reason why nothing is ever published on this topic.
    public init(_ bytes: [UInt8]) throws(InvalidInput) {
        let start = Self.headBytes + 1
        guard bytes.count >= start, bytes.count <= Self.maxBytes,
            let signature = bytes.withUnsafeBytes({ Signature(.init(rebasing: $0.prefix(Self.headBytes))) }),
            signature.kind == .feed, signature.version == Self.version,
            Int(bytes[start - 1]) == bytes.count - start
        else { throw .outOfRange("topic", "57 4D 02 46, a length, and as many bytes of a filter") }
        let encoded = Array(bytes[start...])
        guard let wire = try? WireFeedFilter(serializedBytes: encoded) else { throw .missing("a readable filter") }
        let filter = try FeedFilter(wire)
        guard filter.wire.encoded == encoded else {
            throw .outOfRange("filter in the topic", "in canonical form: sorted lists, nothing twice, nothing empty")
        }
        (self.filter, self.bytes) = (filter, bytes)
    }

    // The bytes determine the filter, so comparing them suffices.
    public static func == (one: FeedTopic, other: FeedTopic) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension FeedFilter {
    /// Removes the next condition: operations first, then the polygon, then the longest list.
    fileprivate mutating func widen() {
        guard operations.isEmpty else {
            // A change that is `entered` for the filter may be `changed` for a wider filter.
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
