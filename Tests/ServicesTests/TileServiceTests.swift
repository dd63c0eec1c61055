// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol

@Suite("Map tiles, through a client", .inTurn)
struct TileServiceTests {
    @Test("the order of tiles is made before anybody asks, if that is wanted")
    func prepared() async throws {
        try await withPair { pair, client in
            _ = try await PairTests.add(client)
            #expect(await !pair.query.areTilesReady)
            await pair.query.prepareTiles()
            while await !pair.query.areTilesReady { await Task.yield() }
            let world = try #require(MapTile(zoom: 0, column: 0, row: 0))
            #expect(try await client.tile(world).contents?.cells.isEmpty == false)
        }
    }

    @Test("a tile shows what was written, at once, and says when nothing has changed in it")
    func tile() async throws {
        try await withPair { _, client in
            let written = try await PairTests.add(client)
            let world = try #require(MapTile(zoom: 0, column: 0, row: 0))
            let sydney = try #require(MapTile(zoom: 10, column: 942, row: 614))
            for tile in [world, sydney] {
                let answer = try await client.tile(tile)
                let contents = try #require(answer.contents)
                #expect(contents.cells.reduce(0) { $0 + $1.count } == 5)
                let again = try await client.tile(tile, known: answer.tag)
                #expect(again.contents == nil && again.tag == answer.tag)
                let filtered = try await client.tile(tile, filter: LandmarkFilter(kinds: ["none"]))
                #expect(filtered.contents?.cells.isEmpty == true)
                let spots = try await client.tile(tile, filter: LandmarkFilter(kinds: ["spot"]))
                #expect(spots.contents == contents)
            }
            let before = try await client.tile(sydney)
            let points = try #require(before.contents).cells.flatMap(\.points)
            #expect(Set(points.map(\.id)) == Set(written.map(\.id)))
            #expect(points.allSatisfy { $0.kind == "spot" && !$0.isFromSource })
            _ = try await client.remove(written[0].id)
            let after = try await client.tile(sydney, known: before.tag)
            #expect(after.contents?.cells.reduce(0) { $0 + $1.count } == 4)
        }
    }
}
