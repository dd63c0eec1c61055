// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

extension Replica {
    func tile(_ tile: WireTile) throws(ServiceError) -> TileAnswering {
        let answering = try ServiceError.of { () throws(InvalidInput) in try TileAnswering(tile, of: self) }
        guard held.holds(answering.filter.area) || held.holds(answering.tile.bounds) else { throw held.outside }
        return answering
    }

    /// Returns the landmarks in the order of map tiles. If some landmarks are not entered yet, does one step of
    /// entering them. The first query for a tile begins this, so a service without such queries has no cost.
    func tilesFilled() -> ReplicaTiles {
        let tiles = self.tiles ?? ReplicaTiles()
        self.tiles = tiles
        // The step is smaller, because entering a landmark takes longer than examining one.
        tiles.fill(max(1, pace.step / 8), of: slotCount, at: position.rev, state)
        return tiles
    }

    /// Returns the landmark of a slot; nil if the slot is free.
    func state(_ slot: UInt32) -> ReplicaTiles.State? {
        guard let record = record(at: slot), let coordinate = coordinate(of: record.id) else { return nil }
        return (coordinate, record)
    }
}
