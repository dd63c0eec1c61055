// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol

@Suite("Topics", .computing)
struct FeedTopicTests {
    static func filters() throws -> [FeedFilter] {
        let sydney = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        return [
            .everything,
            FeedFilter(area: try .circle(at: sydney, radius: 2_000)),
            FeedFilter(area: .box(try AreaBox(south: -34, west: 151, north: -33.5, east: 151.5))),
            FeedFilter(kinds: ["beach", "", "café"], users: ["ana"], sources: ["airports", ""]),
            FeedFilter(ids: [UUIDv7(high: 1, low: 2), UUIDv7(high: 0, low: 3)], operations: [.left, .added]),
        ]
    }

    @Test("a filter comes back from its topic, and each has another topic")
    func roundTrip() throws {
        let topics = try Self.filters().map { FeedTopic(carrying: $0) }
        for (topic, filter) in zip(topics, try Self.filters()) {
            #expect(topic.isExact(for: filter))
            #expect(try FeedTopic(topic.bytes).filter == filter)
            #expect(topic.bytes.count <= 200)
        }
        #expect(Set(topics).count == topics.count)
        for one in topics {
            for other in topics where one != other { #expect(!other.bytes.starts(with: one.bytes)) }
        }
    }

    @Test("a filter too long for a topic travels as a wider one, without its operations")
    func tooLong() throws {
        let sydney = try Coordinate(latitude: -33.8568, longitude: 151.2153)
        let filter = FeedFilter(
            area: try .circle(at: sydney, radius: 2_000), kinds: ["beach"],
            ids: Set((1...20).map { UUIDv7(high: $0, low: $0) }), operations: [.entered])
        let topic = FeedTopic(carrying: filter)
        #expect(!topic.isExact(for: filter))
        #expect(topic.filter == FeedFilter(area: filter.area, kinds: ["beach"]))
        #expect(topic.bytes.count <= 200)
    }

    @Test("a subscription to the same filter in other bytes is no topic")
    func canonical() throws {
        let one = WireFeedFilter.with { $0.kinds = ["b", "a"] }
        let twice = WireFeedFilter.with { $0.kinds = ["a", "a"] }
        let loud = WireFeedFilter.with { $0.kinds = ["Beach"] }
        let turned = WireFeedFilter.with { $0.circle = .with { ($0.lat, $0.lng, $0.radiusM) = (0, 181, 5) } }
        let unknown = WireFeedFilter.with { $0.operations = [.UNRECOGNIZED(9)] }
        for wire in [one, twice, loud, turned, unknown] {
            let encoded: [UInt8] = try wire.serializedBytes()
            #expect(throws: InvalidInput.self) {
                try FeedTopic(Array(FeedTopic.everything.bytes.dropLast()) + [UInt8(encoded.count)] + encoded)
            }
        }
        // A field of a later version.
        #expect(throws: InvalidInput.self) {
            try FeedTopic(Array(FeedTopic.everything.bytes.dropLast()) + [3, 0xfa, 0x01, 0x00])
        }
    }
}
