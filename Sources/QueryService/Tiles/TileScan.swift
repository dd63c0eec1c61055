// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// Counts the landmarks of a tile that match a filter, in steps. Between two steps the replica may change. A change
/// before the scan's position is counted at once; a later change is seen when the scan gets there. So the counts are
/// correct for the moment in which the scan ends.
final class TileScan {
    let tile: MapTile
    let filter: RecordFilter
    private var counts: [Int: TileCell] = [:]
    private var position: TilePosition?
    private var isOver = false

    init(_ tile: MapTile, _ filter: RecordFilter) {
        (self.tile, self.filter) = (tile, filter)
    }

    /// Examines at most `limit` landmarks.
    ///
    /// - Returns: the cells; nil if more steps are needed.
    func proceed(_ limit: Int, in index: TileIndex, of replica: Replica) -> [TileCell]? {
        position = index.forward(in: tile, from: position, limit: limit) { code, slot in
            if let record = replica.record(at: slot), replica.matches(filter, record) { add(slot, at: code) }
        }
        isOver = position == nil
        return isOver ? cells : nil
    }

    /// Counts the matching landmarks of a set that holds all of them, in one step.
    func finish(with members: SlotSet, in replica: Replica) -> [TileCell] {
        isOver = true
        _ = members.forward(from: 0) { slot in
            if let state = replica.state(slot), let code = WebMercator.code(of: state.coordinate) {
                gained(slot, state, at: code)
            }
            return true
        }
        return cells
    }

    /// Takes a landmark with this old state out of the counts, because it was removed or changed.
    func lost(_ slot: UInt32, _ state: ReplicaTiles.State, at code: MercatorCode) {
        if isCounted(slot, state, at: code) { counts[tile.cell(of: code)]?.remove(slot) }
    }

    /// Adds a landmark with this new state to the counts if it matches.
    func gained(_ slot: UInt32, _ state: ReplicaTiles.State, at code: MercatorCode) {
        if isCounted(slot, state, at: code) { add(slot, at: code) }
    }

    private func isCounted(_ slot: UInt32, _ state: ReplicaTiles.State, at code: MercatorCode) -> Bool {
        tile.codes.contains(code) && filter.matchesValues(of: state.record) && filter.covers(state.coordinate)
            && (isOver || position?.isAfter(code, slot) == true)
    }

    /// Adds a matching landmark to its cell.
    private func add(_ slot: UInt32, at code: MercatorCode) {
        let cell = tile.cell(of: code)
        counts[cell, default: TileCell(cell)].add(slot)
    }

    /// The cells so far.
    private var cells: [TileCell] { counts.values.filter { $0.count > 0 }.sorted { $0.number < $1.number } }
}
