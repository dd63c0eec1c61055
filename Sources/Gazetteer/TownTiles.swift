// SPDX-License-Identifier: Apache-2.0

package import Geodesy
import Landmarks
import Synchronization

extension Gazetteer {
    /// Returns the most populous places in a tile of the map, at most ``mostTowns``, the most populous first. Each
    /// place is in exactly one tile of a zoom.
    package func towns(in tile: MapTile) -> [Place] { tiles.rows(in: tile).compactMap { place(at: $0) } }

    /// The maximum number of places that ``towns(in:)`` returns.
    package static let mostTowns = 30
}

/// The most populous places of tiles. The answers for large tiles are kept, because finding them takes milliseconds.
final class TownTiles: Sendable {
    /// The zoom of the smallest tiles that are kept: at most 1,365 tiles.
    private static let keptZoom: UInt32 = 5
    /// The number of candidates at which the least populous are dropped.
    private static let mostCandidates = 1_024
    /// A margin in degrees, more than a position loses when it is rounded.
    private static let margin = 0.001

    private let file: GazetteerFile
    private let kept = Mutex<[MapTile: [Int]]>([:])

    init(_ file: GazetteerFile) { self.file = file }

    func rows(in tile: MapTile) -> [Int] {
        guard tile.zoom <= Self.keptZoom else { return found(in: tile) }
        if let rows = kept.withLock({ $0[tile] }) { return rows }
        let rows = found(in: tile)
        kept.withLock { $0[tile] = rows }
        return rows
    }

    private func found(in tile: MapTile) -> [Int] {
        var best: [(people: Int, row: Int)] = []
        var least = 0
        func drop() {
            best.sort { ($1.people, $0.row) < ($0.people, $1.row) }
            best.removeLast(max(0, best.count - Gazetteer.mostTowns))
        }
        guard let bounds = tile.bounds else { return [] }
        let (south, north) = (bounds.south - Self.margin, bounds.north + Self.margin)
        let (west, east) = (bounds.west - Self.margin, bounds.east + Self.margin)
        let codes = tile.codes
        for row in PlaceGrid.latitude(south) >> PlaceGrid.rowBits...PlaceGrid.latitude(north) >> PlaceGrid.rowBits {
            for place in file.range(inRow: row, PlaceGrid.longitude(west)...PlaceGrid.longitude(east)) {
                let people = file.populationCode(place)
                if people >= least, let code = file.coordinate(place).flatMap(WebMercator.code), codes.contains(code) {
                    best.append((people, place))
                    if best.count == Self.mostCandidates {
                        drop()
                        least = best[best.count - 1].people
                    }
                }
            }
        }
        drop()
        return best.map(\.row)
    }
}
