// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks
import FoundationEssentials
import SwiftProtobuf
public import WaymarkProtocol

extension WaymarkClient {
    /// What lies in a map tile.
    ///
    /// - Parameters:
    ///   - known: the tag of the same tile with the same filter, if the caller has it already.
    ///   - atLeast: the answer must reflect this position or a later one.
    public func tile(
        _ tile: MapTile, filter: LandmarkFilter = LandmarkFilter(), known: [UInt8] = [], atLeast: Position? = nil
    ) async throws(ClientError) -> TileAnswer {
        var request = WireRequest()
        request.tile = .with {
            ($0.z, $0.x, $0.y) = (tile.zoom, tile.column, tile.row)
            if !filter.isEmpty { $0.filter = WireFilter(filter) }
            $0.ifNone = Data(known)
        }
        let (standing, reply) = try await send(request, atLeast: atLeast)
        guard case .tile(let wire)? = reply.result, let standing else { throw .unreadableAnswer("tile") }
        let tag = [UInt8](wire.tag)
        guard !wire.notModified else { return TileAnswer(contents: nil, encoded: [], tag: tag, standing: standing) }
        let encoded = [UInt8](wire.cells)
        guard let contents = TileContents(encoded: encoded) else { throw .unreadableAnswer("tile") }
        return TileAnswer(contents: contents, encoded: encoded, tag: tag, standing: standing)
    }
}

/// The answer to a query for a map tile.
public struct TileAnswer: Sendable {
    /// Nil if the copy that the caller has is still valid.
    public let contents: TileContents?
    /// The bytes of ``contents``, as they came.
    public let encoded: [UInt8]
    /// Another one whenever something in the tile has changed.
    public let tag: [UInt8]
    public let standing: Standing
}
