// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Polygons, through both services", .inTurn)
struct PolygonTests {
    /// A saw along the equator from 0 to 10 degrees, so that its box contains much that it does not.
    private static func area(teeth: Int) throws -> Area {
        var corners = (0...2 * teeth).map {
            AreaPolygon.Corner(longitude: 5 * Double($0) / Double(teeth), latitude: $0 % 2 == 0 ? 0 : 10)
        }
        corners.append(.init(longitude: 5, latitude: -1))
        return .polygon(try AreaPolygon(rings: [corners]))
    }

    private static func draft(_ name: String, _ latitude: Double) throws -> LandmarkDraft {
        try LandmarkDraft(name: name, coordinate: try Coordinate(latitude: latitude, longitude: 5))
    }

    @Test("near, lists, tiles and the feed tell what lies in it", arguments: [1, 50])
    func everywhere(teeth: Int) async throws {
        try await withPair { _, client in
            let area = try Self.area(teeth: teeth)
            let start = try await client.hello().position
            // With an even number of teeth there is a notch at 5 degrees, otherwise a tooth.
            let (inside, outside) = teeth % 2 == 0 ? (-0.5, 5.0) : (5.0, 11.0)
            let first = try await client.add(Self.draft("a", inside))
            let second = try await client.add(Self.draft("b", outside))
            let filter = LandmarkFilter(area: area)
            let here = try Coordinate(latitude: 0, longitude: 0)
            #expect(try await client.near(here, filter: filter).hits.map(\.landmark.name) == ["a"])
            #expect(try await client.list(.byName, filter: filter).hits.map(\.landmark.name) == ["a"])
            let world = try #require(MapTile(zoom: 0, column: 0, row: 0))
            let points = try #require(try await client.tile(world, filter: filter).contents).cells.flatMap(\.points)
            #expect(points.map(\.id) == [first.id])
            await #expect(throws: ClientError.self) { try await client.search("a", filter: filter) }

            let move = { (latitude: Double) in
                try LandmarkEdit(coordinate: try Coordinate(latitude: latitude, longitude: 5))
            }
            _ = try await client.edit(first.id, move(outside))
            _ = try await client.edit(second.id, move(inside))
            _ = try await client.add(Self.draft("end", inside))
            let log = client.changes(since: .after(start), matching: FeedFilter(area: area))
            #expect(
                try await FilteredFeedTests.told(log, until: "added end")
                    == ["added a", "left a", "entered b", "added end"])
        }
    }
}
