// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

extension Replica {
    func tile(_ tile: WireTile) throws(ServiceError) -> TileAnswering {
        let answering = try ServiceError.of { () throws(InvalidInput) in try TileAnswering(tile, of: self) }
        guard held.holds(answering.filter.area) || held.holds(answering.tile.bounds) else { throw held.outside }
        return answering
    }

    /// The landmarks in the order of tiles, after one step of entering them if some are missing. The first query for a
    /// tile begins that, so a service without such queries has no cost.
    func tilesFilled() -> ReplicaTiles {
        let tiles = self.tiles ?? ReplicaTiles()
        self.tiles = tiles
        // The step is smaller, because entering a landmark takes longer than examining one.
        tiles.fill(max(1, pace.step / 8), of: slotCount, at: position.rev, state)
        return tiles
    }

    /// The landmark of a slot, if the slot has one.
    func state(_ slot: UInt32) -> ReplicaTiles.State? {
        guard let record = record(at: slot), let coordinate = coordinate(of: record.id) else { return nil }
        return (coordinate, record)
    }
}
