// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Geodesy
internal import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// The computation of a map tile: usually one step. It takes several steps for the first tile, because the landmarks
/// have to be put into the order of tiles, and for a filter that requires many landmarks to be examined.
final class TileAnswering: SlowWork {
    let tile: MapTile
    let filter: LandmarkFilter
    /// The tag of the tile that the client already has; empty if it has none.
    private let known: [UInt8]
    private let replica: Replica
    private var scan: TileScan?

    init(_ wire: WireTile, of replica: Replica) throws(InvalidInput) {
        guard let tile = MapTile(zoom: wire.z, column: wire.x, row: wire.y) else {
            throw .outOfRange("tile", "of a zoom from 0 to \(MapTile.maxZoom), with x and y below 2 to the power of it")
        }
        (self.tile, filter, known) = (tile, try LandmarkFilter(wire.filter), [UInt8](wire.ifNone))
        self.replica = replica
    }

    func proceed() -> SlowAnswer? {
        let tiles = replica.tilesFilled()
        guard tiles.isFilled else { return nil }
        if let scan { return examine(scan, tiles) }
        let tag = tag(tiles)
        guard tag != known else { return .encoded(reply(tag, nil)) }
        guard let resolved = replica.orders.resolve(filter) else { return .encoded(reply(tag, [])) }
        guard !resolved.isEmpty else { return .encoded(reply(tag, tiles.index.cells(of: tile))) }
        let scan = TileScan(tile, resolved)
        // If few landmarks can match the filter, one step examines them all.
        if let members = replica.rarest(resolved), members.count <= replica.pace.step / resolved.weight {
            return .encoded(reply(tag, scan.finish(with: members, in: replica)))
        }
        self.scan = scan
        tiles.begin(scan)
        return examine(scan, tiles)
    }

    private func examine(_ scan: TileScan, _ tiles: ReplicaTiles) -> SlowAnswer? {
        guard let cells = scan.proceed(max(1, replica.pace.step / scan.filter.weight), in: tiles.index, of: replica)
        else { return nil }
        abandon()
        return .encoded(reply(tag(tiles), cells))
    }

    func abandon() {
        if let scan { replica.tiles?.end(scan) }
        scan = nil
    }

    /// Returns the encoded `Reply`.
    ///
    /// - Parameter cells: the tile's cells; nil if the client's tile is still valid.
    private func reply(_ tag: [UInt8], _ cells: [TileCell]?) -> [UInt8] {
        WireReply.with {
            $0.tile = .with {
                $0.tag = Data(tag)
                if let cells { $0.cells = Data(contents(cells)) } else { $0.notModified = true }
            }
        }.encoded
    }

    /// Returns a tag that identifies the tile's state: the version of the contents' form, the history, and the tile's
    /// stamp. Storage's run identifies the history, because a revision never changes its meaning within one run.
    private func tag(_ tiles: ReplicaTiles) -> [UInt8] {
        let history = replica.position.run ?? replica.position.epoch
        var tag = WireWriter(expecting: 25)
        tag.put(UInt8(1))
        for number in [history.high, history.low, tiles.index.stamp(of: tile)] {
            withUnsafeBytes(of: number.bigEndian) { tag.put($0) }
        }
        return tag.bytes
    }

    /// Returns the contents of a tile with these cells, encoded as ``TileContents`` decodes them.
    private func contents(_ cells: [TileCell]) -> [UInt8] {
        let listed = TileWriter.listedCount(cells)
        var writer = TileWriter(cells: cells.count)
        for cell in cells {
            let states = cell.count <= listed ? cell.payloads?.compactMap(replica.state) : nil
            // A slot in the index always has a landmark. If a slot had none, the contents would still be readable.
            let isListed = states?.count == cell.count
            writer.cell(cell.number, count: cell.count, isListed: isListed)
            guard isListed, let states else { continue }
            for (coordinate, record) in states {
                writer.point(
                    record.id, at: coordinate, kind: replica.orders.kinds.text(of: record.numbers.kind),
                    isFromSource: record.numbers.source != 0)
            }
        }
        return writer.bytes
    }
}
