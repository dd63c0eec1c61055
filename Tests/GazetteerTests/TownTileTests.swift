// SPDX-License-Identifier: Apache-2.0

import Geodesy
import TestTurns
import Testing

@testable import Gazetteer

@Suite("The towns of a map tile", .computing)
struct TownTileTests {
    private static func plain(_ gazetteer: Gazetteer, _ tile: MapTile) -> [Int] {
        let rows = (0..<gazetteer.count).compactMap { gazetteer.place(at: $0) }.filter { place in
            WebMercator.code(of: place.coordinate).map(tile.codes.contains) ?? false
        }
        return rows.sorted { ($1.population, $0.id) < ($0.population, $1.id) }.prefix(Gazetteer.mostTowns).map(\.id)
    }

    @Test("in tiles of all zooms they are those that a look at all places finds")
    func all() throws {
        let gazetteer = try SmallGazetteer.make()
        var seen = 0
        for zoom: UInt32 in 0...6 {
            for column in 0..<UInt32(1) << zoom {
                for row in 0..<UInt32(1) << zoom {
                    let tile = try #require(MapTile(zoom: zoom, column: column, row: row))
                    let found = gazetteer.towns(in: tile).map(\.id)
                    #expect(found == Self.plain(gazetteer, tile), "\(zoom)/\(column)/\(row)")
                    seen += found.count
                }
            }
        }
        // Each is in one tile of each zoom.
        #expect(seen == 7 * gazetteer.count)
    }

    @Test("of the world, a crowded tile and a tile without towns")
    func embedded() throws {
        let gazetteer = try Gazetteer.embedded()
        for (zoom, column, row) in [(UInt32(0), UInt32(0), UInt32(0)), (4, 8, 5), (9, 266, 172), (3, 0, 7)] {
            let tile = try #require(MapTile(zoom: zoom, column: column, row: row))
            let plain = Self.plain(gazetteer, tile)
            // Large tiles are kept.
            for _ in 0..<2 { #expect(gazetteer.towns(in: tile).map(\.id) == plain) }
        }
        let sydney = try #require(WebMercator.code(of: try Coordinate(latitude: -33.868, longitude: 151.207)))
        #expect(gazetteer.towns(in: MapTile(zoom: 10, containing: sydney)).first?.name == "Sydney")
        #expect(gazetteer.towns(in: MapTile(zoom: 0, containing: sydney)).count == 30)
    }
}
