// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkProtocol

@Suite("Polygons on the wire", .inShortTurn)
struct PolygonWireTests {
    private func polygon(_ corners: Int) throws -> AreaPolygon {
        try AreaPolygon(
            rings: [
                (0..<corners).map {
                    .init(
                        longitude: 170 + 20 * Double($0) / Double(corners),
                        latitude: $0 % 2 == 0 ? -Double($0) / 100 : 8)
                }
            ])
    }

    @Test("filters of feeds and of queries come back as they were")
    func roundTrip() throws {
        let polygon = try polygon(700)
        let filter = FeedFilter(area: .polygon(polygon), kinds: ["view"])
        let bytes: [UInt8] = try filter.wire.serializedBytes()
        #expect(try FeedFilter(WireFeedFilter(serializedBytes: bytes)) == filter)
        for area: Area in [
            .polygon(polygon), .box(polygon.bounds), try .circle(at: Coordinate(latitude: 1, longitude: 2), radius: 3),
        ] {
            let filter = LandmarkFilter(kinds: ["view"], area: area)
            #expect(try LandmarkFilter(WireFilter(filter)) == filter)
        }
        for kinds in [[], [""], ["view"], ["view", "", "park"]] {
            let filter = LandmarkFilter(kinds: kinds, user: "ada")
            let wire = WireFilter(filter)
            #expect(!wire.hasKind && wire.kinds == kinds.sorted())
            #expect(try LandmarkFilter(wire) == filter)
        }
        let most = InvalidInput.outOfRange("filter", "\(LandmarkFilter.mostKinds) kinds at most")
        #expect(throws: most) { try LandmarkFilter(.with { $0.kinds = (0...100).map(String.init) }) }
    }

    @Test("a small polygon is the topic itself; a large one is carried by the topic of its box")
    func topics() throws {
        let small = FeedFilter(area: .polygon(try polygon(5)), operations: [.left])
        let exact = FeedTopic(carrying: small)
        #expect(exact.isExact(for: small))
        #expect(try FeedTopic(exact.bytes).filter == small)
        let large = FeedFilter(area: .polygon(try polygon(500)), kinds: ["view"], operations: [.left])
        let wide = FeedTopic(carrying: large)
        #expect(!wide.isExact(for: large))
        #expect(wide.filter == FeedFilter(area: .box(try polygon(500).bounds), kinds: ["view"]))
        #expect(try FeedTopic(wide.bytes).filter == wide.filter)
    }

    @Test("damaged polygons are refused")
    func damaged() throws {
        for degrees: [Double] in [[], [0, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 1, 0, 1, .nan], [0, 0, 700, 0, 1, 1]] {
            let wire = WirePolygon.with { $0.rings = [.with { $0.degrees = degrees }] }
            #expect(throws: InvalidInput.self) { try FeedFilter(.with { $0.polygon = wire }) }
            #expect(throws: InvalidInput.self) { try LandmarkFilter(.with { $0.polygon = wire }) }
        }
        #expect(throws: InvalidInput.self) { try FeedFilter(.with { $0.polygon = WirePolygon() }) }
    }
}
