// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
internal import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// A validated query for a map tile.
struct TileQuestion {
    let tile: MapTile
    let filter: LandmarkFilter
    /// The tag of the client's copy; empty if it has none.
    let known: [UInt8]

    init(_ wire: WireTile) throws(InvalidInput) {
        guard let tile = MapTile(zoom: wire.z, column: wire.x, row: wire.y) else {
            throw .outOfRange("tile", "of a zoom from 0 to \(MapTile.maxZoom), with x and y below 2 to the power of it")
        }
        (self.tile, filter, known) = (tile, try LandmarkFilter(wire.filter), [UInt8](wire.ifNone))
    }
}

/// A query for a map tile that is being answered: usually in one step. Several are needed when it is the first one, for
/// which the landmarks are brought into the order of tiles, and when many landmarks have to be examined for a filter.
final class TileAnswering: SlowWork {
    private let question: TileQuestion
    private let replica: Replica
    private var scan: TileScan?

    init(_ question: TileQuestion, of replica: Replica) {
        (self.question, self.replica) = (question, replica)
    }

    func proceed() -> SlowAnswer? {
        let tiles = replica.tilesFilled()
        guard tiles.isFilled else { return nil }
        if let scan { return examine(scan, tiles) }
        let tag = replica.tag(of: question.tile, tiles)
        guard tag != question.known else { return .encoded(reply(tag, nil)) }
        guard let filter = replica.resolve(question.filter) else { return .encoded(reply(tag, [])) }
        guard !filter.isEmpty else { return .encoded(reply(tag, tiles.index.cells(of: question.tile))) }
        let scan = TileScan(question.tile, filter)
        if let members = replica.fewMembers(filter) {
            replica.add(members, filter, to: scan)
            return .encoded(reply(tag, scan.cells))
        }
        self.scan = scan
        tiles.begin(scan)
        return examine(scan, tiles)
    }

    private func examine(_ scan: TileScan, _ tiles: ReplicaTiles) -> SlowAnswer? {
        guard let cells = scan.proceed(max(1, replica.pace.step / scan.filter.weight), in: tiles.index, of: replica)
        else { return nil }
        abandon()
        return .encoded(reply(replica.tag(of: question.tile, tiles), cells))
    }

    func abandon() {
        if let scan { replica.tiles?.end(scan) }
        scan = nil
    }

    /// The encoded `Reply`.
    ///
    /// - Parameter cells: nil if the client's copy is still valid.
    private func reply(_ tag: [UInt8], _ cells: [TileCell]?) -> [UInt8] {
        WireReply.with {
            $0.tile = .with {
                $0.tag = Data(tag)
                if let cells { $0.cells = Data(replica.contents(cells)) } else { $0.notModified = true }
            }
        }.encoded
    }
}
