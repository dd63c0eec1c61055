// SPDX-License-Identifier: Apache-2.0

public import Geodesy
internal import FoundationEssentials
public import WaymarkProtocol

extension WaymarkClient {
    /// Returns the landmarks in a map tile.
    ///
    /// - Parameters:
    ///   - known: the tag of the caller's copy of this tile with this filter; empty if there is no copy.
    ///   - atLeast: the answer must reflect this position or a later one.
    public func tile(
        _ tile: MapTile, filter: LandmarkFilter = LandmarkFilter(), known: [UInt8] = [], atLeast: Position? = nil
    ) async throws(ClientError) -> TileAnswer {
        let question = WireTile.with {
            ($0.z, $0.x, $0.y, $0.ifNone) = (tile.zoom, tile.column, tile.row, Data(known))
            if !filter.isEmpty { $0.filter = WireFilter(filter) }
        }
        let (wire, freshness) = try await answer(to: .with { $0.tile = question }, \WireReply.tile, atLeast: atLeast)
        guard let freshness, let found = TileAnswer(wire, freshness) else { throw .unreadableAnswer("tile") }
        return found
    }
}

/// The answer to a query for a map tile.
public struct TileAnswer: Sendable {
    /// The contents; nil if the caller's copy is still valid.
    public let contents: TileContents?
    /// The bytes of ``contents``, as received.
    public let encoded: [UInt8]
    /// A tag that is different after something in the tile has changed.
    public let tag: [UInt8]
    public let freshness: Freshness

    /// Nil if the contents cannot be read.
    init?(_ wire: WireTileReply, _ freshness: Freshness) {
        (tag, self.freshness) = ([UInt8](wire.tag), freshness)
        encoded = wire.notModified ? [] : [UInt8](wire.cells)
        contents = wire.notModified ? nil : TileContents(encoded: encoded)
        if contents == nil, !wire.notModified { return nil }
    }
}
