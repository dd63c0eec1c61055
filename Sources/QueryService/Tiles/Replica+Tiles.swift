// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

extension Replica {
    func tile(_ tile: WireTile) throws(ServiceError) -> TileAnswering {
        let question: TileQuestion
        do { question = try TileQuestion(tile) } catch { throw ServiceError(error) }
        guard holds(question.filter.area) || holds(question.tile.bounds) else { throw outsideRegion }
        return TileAnswering(question, of: self)
    }

    private func holds(_ bounds: AreaBox?) -> Bool { bounds.map { region?.holds($0) ?? true } ?? false }

    /// The landmarks in the order of tiles, with one step of filling them in if that is not done yet. The first query
    /// for a tile begins it, so that a service that nobody asks for tiles has no cost.
    func tilesFilled() -> ReplicaTiles {
        let tiles = self.tiles ?? ReplicaTiles()
        self.tiles = tiles
        // Entering a landmark takes longer than examining one.
        tiles.fill(max(1, pace.step / 8), of: slotCount, at: position.rev, state)
        return tiles
    }

    /// Names a state of a tile. It holds the form of the contents, the history, and the stamp in it. Storage's run stands
    /// for the history: in one run no revision is ever another one.
    func tag(of tile: MapTile, _ tiles: ReplicaTiles) -> [UInt8] {
        let history = position.run ?? position.epoch
        var tag = WireWriter(expecting: 25)
        tag.put(UInt8(1))
        for number in [history.high, history.low, tiles.index.stamp(of: tile)] {
            withUnsafeBytes(of: number.bigEndian) { tag.put($0) }
        }
        return tag.bytes
    }

    /// The landmarks that may match, if they are so few that they are examined in one step.
    func fewMembers(_ filter: RecordFilter) -> SlotSet? {
        rarest(filter).flatMap { $0.count <= pace.step / filter.weight ? $0 : nil }
    }

    func add(_ members: SlotSet, _ filter: RecordFilter, to scan: TileScan) {
        let codes = scan.tile.codes
        _ = members.forward(from: 0) { slot in
            if let (coordinate, record) = state(slot), filter.matchesValues(of: record), filter.covers(coordinate),
                let code = WebMercator.code(of: coordinate), codes.contains(code)
            {
                scan.add(slot, at: code)
            }
            return true
        }
    }

    private func state(_ slot: UInt32) -> ReplicaTiles.State? {
        guard let record = record(at: slot), let coordinate = coordinate(of: record.id) else { return nil }
        return (coordinate, record)
    }

    /// The contents of a tile with these cells, as ``TileContents`` reads them.
    func contents(_ cells: [TileCell]) -> [UInt8] {
        let listed = TileWriter.listedCount(cells)
        var writer = TileWriter(cells: cells.count)
        for cell in cells {
            let states = cell.count <= listed ? cell.payloads?.compactMap(state) : nil
            // A slot of the index always has a landmark; whatever happens, the contents stay readable.
            let isListed = states?.count == cell.count
            writer.cell(cell.number, count: cell.count, isListed: isListed)
            guard isListed, let states else { continue }
            for (coordinate, record) in states {
                writer.point(
                    record.id, at: coordinate, kind: orders.kinds.text(of: record.kind),
                    isFromSource: record.source != 0)
            }
        }
        return writer.bytes
    }
}
