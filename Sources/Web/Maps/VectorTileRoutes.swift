// SPDX-License-Identifier: Apache-2.0

internal import JSON
internal import Landmarks
internal import WaymarkClient
internal import WaymarkProtocol

/// Map tiles for the programs of others, such as MapLibre and QGIS.
enum VectorTileRoutes {
    static let all: [WebRoute] = [tile, tileJSON]

    private static let tile = WebRoute(
        method: .get, template: "/v1/tiles/{z}/{x}/{y}.mvt",
        summary: "The landmarks in a map tile, as a Mapbox Vector Tile.", parameters: WebRoute.Parameter.filters,
        answers: [.init(type: VectorTile.contentType)]
    ) { context, request in
        let tile = try TileRoute.askedTile(request)
        let filter = try await context.filter(request)
        let found = try await Problem.of { try await context.client.tile(tile, filter: filter) }
        guard let contents = found.contents else { throw ClientError.unreadableAnswer("tile") }
        // The tag of the tile does not tell whether a name has changed, so the answer gets one of its bytes.
        let names = try await names(of: contents, in: tile, filter, found.freshness.position, context.client)
        return WebAnswer(VectorTile.contentType, VectorTile(contents, of: tile, names: names).bytes)
    }

    private static let tileJSON = WebRoute(
        method: .get, template: "/v1/tiles.json", summary: "The vector tiles as a TileJSON 3.0 document.",
        answers: [.init(type: WebAnswer.json)]
    ) { _, request in
        let base = try request.base()
        return WebAnswer {
            $0.field("tilejson", "3.0.0")
            $0.field("name", "Waymark")
            $0.array("tiles", ["\(base)/v1/tiles/{z}/{x}/{y}.mvt"])
            $0.array("vector_layers", [VectorTile.layer]) { writer, layer in
                writer.object {
                    $0.field("id", layer)
                    $0.object("fields") { writer in
                        for (key, type) in VectorTile.properties { writer.field(key, type) }
                    }
                }
            }
            $0.field("minzoom", UInt64(0))
            $0.field("maxzoom", UInt64(MapTile.maxZoom))
            $0.field("bounds", raw: "[-180,-85.0511287798066,180,85.0511287798066]")
        }
    }

    /// Returns the names of the landmarks in a tile, by one more question; none if there are more than a page has rows.
    private static func names(
        of contents: TileContents, in tile: MapTile, _ filter: LandmarkFilter, _ position: Position,
        _ client: WaymarkClient
    ) async throws -> [Landmark.ID: String] {
        let total = contents.cells.reduce(0) { $0 + $1.count }
        guard total <= WaymarkProtocol.pageRows, contents.cells.contains(where: { !$0.points.isEmpty }),
            let box = tile.bounds
        else { return [:] }
        let middle = try Coordinate(latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
        var within = filter
        // An area that reaches beyond the tile may have nearer landmarks outside of it.
        if within.area == nil { within.area = .box(box) }
        // The box has the tile's edges too, where landmarks of other tiles may be.
        let (asked, limit) = (within, WaymarkProtocol.pageRows)
        let near = try await Problem.of {
            try await client.near(middle, limit: limit, filter: asked, atLeast: position)
        }
        return Dictionary(near.hits.map { ($0.landmark.id, $0.landmark.name) }) { first, _ in first }
    }
}
