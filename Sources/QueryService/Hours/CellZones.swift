// SPDX-License-Identifier: Apache-2.0

/// A cache of time zones by cells of a tenth of a degree.
///
/// A cell is kept with its zone if its middle and its four corners have the same one. In other cells, at the borders of
/// zones, each landmark is looked up by its own position. A smaller piece of another zone between the five points is
/// not seen.
struct CellZones<Zone: Equatable> {
    /// The most cells. Beyond it all are dropped. A cell takes some 32 bytes.
    static var mostCells: Int { 65_536 }

    private enum Cell {
        /// The zone of the whole cell; nil if there is none.
        case inside(Zone?)
        case border
    }

    private var cells: [Int32: Cell] = [:]
    /// Look-ups since the last ``takeLookups()``.
    private var lookups = 0

    var count: Int { cells.count }

    /// - Parameters: degrees; `look` finds the zone at a latitude and a longitude.
    mutating func zone(_ latitude: Double, _ longitude: Double, _ look: (Double, Double) -> Zone?) -> Zone? {
        let (row, column) = ((latitude * 10).rounded(.down), (longitude * 10).rounded(.down))
        // The factor leaves room for 3,600 columns, and one more for the longitude 180 itself.
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
