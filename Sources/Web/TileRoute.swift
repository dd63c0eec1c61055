// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkClient

/// Map tiles, in the encoding that `Protocol.md` describes.
enum TileRoute {
    static let all: [WebRoute] = VectorTileRoutes.all + [tile]

    private static let tile = WebRoute(
        method: .get, template: "/v1/tiles/{z}/{x}/{y}", summary: "The landmarks in a map tile, as bytes.",
        parameters: WebRoute.Parameter.filters, answers: [.init(type: "application/octet-stream")]
    ) { context, request in
        let tile = try askedTile(request)
        let filter = try await context.filter(request)
        // The tag does not tell which fence has the name by now, so the answer gets one of its bytes.
        let isTagged = request.query.text("fence") == nil
        let held = isTagged ? known(request.headers[.ifNoneMatch]) : []
        let found = try await Problem.of { try await context.client.tile(tile, filter: filter, known: held) }
        var answer = WebAnswer("application/octet-stream", found.encoded)
        guard isTagged else { return answer }
        answer.headers[.eTag] = "\"\(found.tag.hexadecimal)\""
        return answer
    }

    /// Returns the tag of a tile in the header `If-None-Match`; empty if the header contains another tag or is missing.
    private static func known(_ header: String?) -> [UInt8] {
        let digits = Array((header ?? "").utf8.filter { $0 != UInt8(ascii: "\"") })
        guard digits.count <= 64, digits.count.isMultiple(of: 2) else { return [] }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : []
    }

    /// Returns the tile that the path names.
    static func askedTile(_ request: WebRequest) throws(Problem) -> MapTile {
        let numbers = ["z", "x", "y"].compactMap { request.path[$0].flatMap { UInt32($0) } }
        guard numbers.count == 3, let tile = MapTile(zoom: numbers[0], column: numbers[1], row: numbers[2]) else {
            throw Problem.invalid("There is no such tile: give its zoom, column and row.")
        }
        return tile
    }
}
