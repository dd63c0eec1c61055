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
        switch random.next() % 5 {
        case 0: return FeedFilter(kinds: ["k\(random.next() % 3)"])
        case 1: return FeedFilter(ids: [UUIDv7(high: random.next() % 50, low: 0)])
        case 2:
            let (one, other) = (try place(&random), try place(&random))
            return FeedFilter(
                area: .box(
                    try AreaBox(
                        south: min(one.latitude, other.latitude), west: one.longitude,
                        north: max(one.latitude, other.latitude), east: other.longitude)))
        default:
            let radius = [50.0, 20_000, 500_000, 9_000_000][Int(random.next() % 4)]
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
                FilterSubject(id: id, coordinate: place, kind: "k\(rev % 4)", user: "", source: "")
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
}
