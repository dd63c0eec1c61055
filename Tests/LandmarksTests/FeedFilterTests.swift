// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing

@Suite("What a change is to a filter", .computing)
struct FeedFilterTests {
    static let id = UUIDv7(high: 1, low: 1)

    static func subject(_ longitude: Double, kind: String = "beach") throws -> FilterSubject {
        FilterSubject(
            id: id, coordinate: try Coordinate(latitude: 0, longitude: longitude), kind: kind, user: "ana", source: "")
    }

    static let area = try? Area.circle(at: Coordinate(latitude: 0, longitude: 0), radius: 112_000)

    @Test(
        "moves in, within, out of and outside an area",
        arguments: [
            (0.1, 0.2, FeedOperation?.some(.changed)), (0.1, 2, .left), (2, 0.1, .entered), (2, 3, nil),
        ])
    func moves(from: Double, to: Double, told: FeedOperation?) throws {
        let filter = FeedFilter(area: Self.area)
        #expect(
            filter.operation(of: .changed, before: try Self.subject(from), after: try Self.subject(to)) == told)
    }

    @Test("what is added and removed inside is told as that, outside not at all")
    func comesAndGoes() throws {
        let filter = FeedFilter(area: Self.area)
        let (inside, outside) = (try Self.subject(0.1), try Self.subject(2))
        #expect(filter.operation(of: .added, before: nil, after: inside) == .added)
        #expect(filter.operation(of: .added, before: nil, after: outside) == nil)
        #expect(filter.operation(of: .removed, before: inside, after: inside) == .removed)
        #expect(filter.operation(of: .removed, before: outside, after: outside) == nil)
        #expect(filter.operation(of: .noted, before: inside, after: inside) == .noted)
    }

    @Test("a kind that changes enters and leaves like one that moves; every part has to match")
    func kinds() throws {
        let filter = FeedFilter(area: Self.area, kinds: ["beach", "park"], users: ["ana"])
        let (beach, park, cafe) = (
            try Self.subject(0), try Self.subject(0, kind: "park"), try Self.subject(0, kind: "cafe")
        )
        #expect(filter.operation(of: .changed, before: beach, after: park) == .changed)
        #expect(filter.operation(of: .changed, before: beach, after: cafe) == .left)
        #expect(filter.operation(of: .changed, before: cafe, after: beach) == .entered)
        #expect(!FeedFilter(kinds: ["beach"], users: ["bea"]).matches(beach))
        #expect(!FeedFilter(ids: [UUIDv7(high: 2, low: 2)]).matches(beach))
        #expect(FeedFilter(sources: [""]).matches(beach))
    }

    @Test("operations name what was done or what it is to the watcher")
    func operations() throws {
        let (inside, outside) = (try Self.subject(0.1), try Self.subject(2))
        func told(_ operations: Set<FeedOperation>) -> FeedOperation? {
            FeedFilter(area: Self.area, operations: operations)
                .operation(of: .changed, before: inside, after: outside)
        }
        #expect(told([]) == .left)
        #expect(told([.left]) == .left)
        #expect(told([.changed]) == .left)
        #expect(told([.entered, .added, .noted]) == nil)
    }
}
