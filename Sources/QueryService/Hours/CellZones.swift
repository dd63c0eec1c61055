// SPDX-License-Identifier: Apache-2.0

/// A cache of time zones, by square cells with sides of a tenth of a degree.
///
/// If the middle and the four corners of a cell are in the same time zone, that zone is kept for the whole cell. Other
/// cells lie at the borders of zones: there each landmark is looked up by its own coordinate. A piece of another zone
/// that lies between the five points is overlooked.
struct CellZones<Zone: Equatable> {
    /// The maximum number of cells. When it is reached, all cells are dropped. A cell takes some 32 bytes.
    static var mostCells: Int { 65_536 }

    private enum Cell {
        /// The zone of the whole cell; nil if the cell is in no zone.
        case inside(Zone?)
        case border
    }

    private var cells: [Int32: Cell] = [:]
    /// The number of look-ups since the last ``takeLookups()``.
    private var lookups = 0

    var count: Int { cells.count }

    /// Returns the time zone at a latitude and longitude in degrees.
    ///
    /// - Parameter look: finds the zone at a latitude and longitude when the cache does not have it.
    mutating func zone(_ latitude: Double, _ longitude: Double, _ look: (Double, Double) -> Zone?) -> Zone? {
        let (row, column) = ((latitude * 10).rounded(.down), (longitude * 10).rounded(.down))
        // There are 3,601 columns, because longitude 180 has a column of its own.
        let key = Int32(row) * 4_096 + Int32(column)
        let cell: Cell
        if let known = cells[key] {
            cell = known
        } else {
            let (south, west) = (row / 10, column / 10)
            let middle = look(min(south + 0.05, 90), west + 0.05)
            let corners = [(0.0, 0.0), (0, 0.1), (0.1, 0), (0.1, 0.1)]
            let isInside = corners.allSatisfy { look(min(south + $0.0, 90), west + $0.1) == middle }
            lookups += 5
            cell = isInside ? .inside(middle) : .border
            if cells.count >= Self.mostCells { cells.removeAll() }
            cells[key] = cell
        }
        switch cell {
        case .inside(let zone): return zone
        case .border:
            lookups += 1
            return look(latitude, longitude)
        }
    }

    mutating func takeLookups() -> Int {
        defer { lookups = 0 }
        return lookups
    }
}
