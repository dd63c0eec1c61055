// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkProtocol

@testable import WaymarkTransport

@Suite("The feeds that may contain a change", .computing)
struct FeedIndexTests {
    private static func place(_ random: inout SplitMix64) throws -> Coordinate {
        // Also on the borders of cells.
        let longitude = [180.0, -180, 0, random.unit() * 360 - 180][Int(random.next() % 4)]
        let latitude = [90.0, -90, random.unit() * 180 - 90, random.unit() * 4 - 2][Int(random.next() % 4)]
        return try Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func filter(_ random: inout SplitMix64) throws -> FeedFilter {
        switch random.next() % 8 {
        case 0: return FeedFilter(kinds: ["k\(random.next() % 3)"])
        case 5: return FeedFilter(kinds: ["k1", "k2"], users: ["u\(random.next() % 3)", "u"])
        case 6: return FeedFilter(kinds: ["k\(random.next() % 3)"], sources: ["", "s\(random.next() % 3)"])
        case 7: return FeedFilter(operations: [.entered, .left])
        case 1: return FeedFilter(ids: [UUIDv7(high: random.next() % 50, low: 0)])
        case 2:
            let (one, other) = (try place(&random), try place(&random))
            return FeedFilter(
                area: .box(
                    try AreaBox(
                        south: min(one.latitude, other.latitude), west: one.longitude,
                        north: max(one.latitude, other.latitude), east: other.longitude)))
        default:
            let radius = [0, 50.0, 20_000, 500_000, 9_000_000][Int(random.next() % 5)]
            return FeedFilter(area: try .circle(at: try place(&random), radius: radius))
        }
    }

    @Test("finds every matching feed once, and forgets removed feeds")
    func findsAll() throws {
        var random = SplitMix64(seed: 3)
        var index = FeedIndex()
        var topics: [FeedTopic] = []
        var matches = 0
        for rev in 1...3_000 as ClosedRange<UInt64> {
            if rev % 5 == 0 {
                let topic = FeedTopic(carrying: try Self.filter(&random))
                if index[topic] == nil {
                    index.insert(FeedIndex.Feed(topic, n: 0))
                    topics.append(topic)
                }
            }
            if rev % 23 == 0, !topics.isEmpty {
                index.remove(topics.remove(at: Int(random.next() % UInt64(topics.count))))
            }
            let id = UUIDv7(high: random.next() % 50, low: 0)
            func subject(_ place: Coordinate) -> FilterSubject {
                FilterSubject(
                    id: id, coordinate: place, kind: "k\(random.next() % 4)", user: "u\(rev % 4)",
                    source: rev % 5 == 0 ? "" : "s\(rev % 3)")
            }
            let after = subject(try Self.place(&random))
            let before = rev % 3 == 0 ? subject(try Self.place(&random)) : nil
            let change = EncodedChange.Subjects(after: after, before: before)
            let operation: Change.Operation = before == nil ? .added : .changed
            var found: [FeedTopic] = []
            index.candidates(change) { found.append($0.topic) }
            #expect(Set(found).count == found.count)
            for topic in topics
            where topic.filter.operation(of: operation, before: before, after: after) != nil {
                matches += 1
                #expect(found.contains(topic), "\(topic.filter) \(change)")
            }
            #expect(Set(found).isSubset(of: topics))
        }
        #expect(matches > 5_000)
        #expect(index.count == topics.count)
        for topic in topics { index.remove(topic) }
        #expect(index.isEmpty)
    }

    @Test("compares a change with the feeds of its neighbourhood only", arguments: [30.0, 1_000, 40_000])
    func near(radius: Double) throws {
        var random = SplitMix64(seed: 4)
        var index = FeedIndex()
        let centres = try (0..<2_000).map { _ in
            try Coordinate(latitude: random.unit() * 80 - 40, longitude: random.unit() * 300 - 150)
        }
        for centre in centres {
            index.insert(
                FeedIndex.Feed(
                    FeedTopic(carrying: FeedFilter(area: try .circle(at: centre, radius: radius))), n: 0))
        }
        var found = 0
        for centre in centres {
            let subject = FilterSubject(id: UUIDv7(high: 1, low: 1), coordinate: centre, kind: "", user: "", source: "")
            index.candidates(EncodedChange.Subjects(after: subject, before: nil)) { feed in
                guard case .circle(let other, _)? = feed.topic.filter.area else { return }
                found += 1
                #expect(Geodesic.distance(from: centre, to: other) < 12 * (radius + 40))
            }
        }
        // Each centre is found by its own feed at least; circles of 40 km in this part of the world overlap.
        #expect((2_000..<6_000).contains(found), "\(found)")
    }
}
