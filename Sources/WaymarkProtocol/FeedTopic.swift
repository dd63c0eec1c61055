// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf

/// The topic of a feed contains the canonical encoding of the feed's filter.
///
/// ```
/// +--------------------+--------+------------------+
/// | signature, kind F  | length | encoded filter   |
/// | 4 bytes            | 1 byte | 0 to 195 bytes   |
/// +--------------------+--------+------------------+
/// ```
///
/// Because of the length no topic is the beginning of another. ZeroMQ subscriptions match prefixes, so this matters. See `Protocol.md`, part The feed.
public struct FeedTopic: Hashable, Sendable {
    /// libzmq 4.3.4 never registers subscriptions of 246 to 255 bytes; this stays well below.
    public static let maxBytes = 200

    public let bytes: [UInt8]
    /// The filter of the feed.
    public let filter: FeedFilter

    public static let everything = FeedTopic(.everything, encoded: [])

    private static let head = Signature(.feed).bytes

    private init(_ filter: FeedFilter, encoded: [UInt8]) {
        self.filter = filter
        bytes = Self.head + [UInt8(encoded.count)] + encoded
    }

    /// The topic for a filter. If its encoding is too long for a topic, it is the topic of a wider filter, without the
    /// operations, with the box around a polygon, and without some lists, the longest first. Then the subscriber has to filter again: see ``isExact(for:)``.
    public init(carrying filter: FeedFilter) {
        var wider = filter
        var encoded = Self.encoded(wider)
        let room = Self.maxBytes - Self.head.count - 1
        if encoded.count > room {
            // A change that is `entered` for the filter may be `changed` for a wider filter.
            wider.operations = []
            encoded = Self.encoded(wider)
        }
        if encoded.count > room, case .polygon(let polygon)? = wider.area {
            wider.area = .box(polygon.bounds)
            encoded = Self.encoded(wider)
        }
        while encoded.count > room {
            wider.dropLongestList()
            encoded = Self.encoded(wider)
        }
        self.init(wider, encoded: encoded)
    }

    public func isExact(for filter: FeedFilter) -> Bool { self.filter == filter }

    /// - Throws: the reason why nothing is ever published on this topic.
    public init(_ bytes: [UInt8]) throws(InvalidInput) {
        let start = Self.head.count + 1
        guard bytes.count >= start, bytes.count <= Self.maxBytes, bytes.starts(with: Self.head),
            Int(bytes[start - 1]) == bytes.count - start
        else { throw .outOfRange("topic", "57 4D 01 46, a length, and as many bytes of a filter") }
        let encoded = Array(bytes[start...])
        guard let wire = try? WireFeedFilter(serializedBytes: encoded) else { throw .missing("a readable filter") }
        let filter = try FeedFilter(wire)
        guard Self.encoded(filter) == encoded else {
            throw .outOfRange("filter in the topic", "in canonical form: sorted lists, nothing twice, nothing empty")
        }
        self.filter = filter
        self.bytes = bytes
    }

    private static func encoded(_ filter: FeedFilter) -> [UInt8] {
        // Encoding fails only for required fields that are not set, and proto3 has none.
        (try? filter.wire.serializedBytes()) ?? []
    }

    // The bytes determine the filter, so comparing them suffices.
    public static func == (one: FeedTopic, other: FeedTopic) -> Bool { one.bytes == other.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension FeedFilter {
    fileprivate mutating func dropLongestList() {
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
